import { expect, test } from 'vitest'
import { checkNeeds } from '../../../src/testbeds/counted/needs.ts'

test('without QEMU the one command is named, and no lab can run there', async () => {
  const [qemu, kernel] = await checkNeeds('/no/such/folder')
  expect(qemu).toMatchObject({ id: 'qemu', status: 'failed', blocks: 'all' })
  expect(qemu?.remedyCommand).toMatch(/^sudo apt-get install .*qemu-system-x86/)
  expect(kernel?.id).toBe('counted-kernel')
})
