import { aLab } from '@expresslane/shared/test/builders'
import { describe, expect, it } from 'vitest'
import { waitingFor } from '../../src/words/format.ts'

describe('waitingFor', () => {
  it('names the lab and the step by their titles', () => {
    const lab = aLab()
    expect(waitingFor([lab], { labId: lab.id, stepId: 'preflight' })).toBe('BIG TCP over IPv4: Check the testbed')
  })

  it('falls back to the ids', () => {
    expect(waitingFor([], { labId: aLab().id, stepId: 'preflight' })).toBe('big-tcp-ipv4: preflight')
  })
})
