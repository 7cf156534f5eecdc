import { describe } from 'vitest'
import { serviceContract } from './service-contract.ts'

describe.skipIf(process.getuid?.() !== 0)('as root', () => {
  serviceContract()
})
