import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { checkNeeds } from '../../../src/testbeds/counted/needs.ts'
import { chosenOf, findPrepared, preparedMachines } from '../../../src/testbeds/counted/prepared.ts'

const ABSENT = '9.99.9-not-here'
const GET_IT = `npm run kernel -- ${ABSENT}`

test('without QEMU the one command is named, and no lab can run there', async () => {
  const [qemu, kernel] = await checkNeeds('/no/such/folder')
  expect(qemu).toMatchObject({ id: 'qemu', status: 'failed', blocks: 'all' })
  expect(qemu?.remedyCommand).toMatch(/^npm run tools -- counted/)
  expect(kernel?.id).toBe('counted-kernel')
})

test('while the set-up still gets both, the checks say so, and ask nobody for a command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-needs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const list = join(folder, 'coming.json')
  writeFileSync(list, JSON.stringify({ pid: String(process.pid), packages: 'qemu-system-x86 kernel' }))
  const [qemu] = await checkNeeds('/no/such/folder', null, pathToFileURL(list))
  expect(qemu).toMatchObject({ status: 'failed', remedyCommand: null, coming: true })
  // The set-up gets the newest kernel, and not the chosen release.
  const [, chosen] = await checkNeeds('/no/such/folder', ABSENT, pathToFileURL(list))
  expect(chosen).toMatchObject({ remedyCommand: GET_IT, coming: undefined })
})

test('a kernel that was asked for and is not here is never replaced by another one', async () => {
  const [qemu, kernel] = await checkNeeds('/no/such/folder', ABSENT)
  expect(kernel).toMatchObject({ status: 'failed', blocks: 'all', remedyCommand: GET_IT })
  expect(kernel?.seen).toContain(ABSENT)
  expect(qemu?.remedyCommand).toMatch(new RegExp(`&& ${GET_IT}$`))
  await expect(findPrepared(ABSENT)).rejects.toMatchObject({ code: 'testbed_unavailable', remedyCommand: GET_IT })
})

test('without a choice the newest kernel is booted', () => {
  const machineOf = (release: string) => ({
    release,
    version: '1',
    sha256: 'a',
    vmlinux: '/vmlinux',
    initrd: '/initrd',
    programsSha256: 'b',
  })
  const machines = [machineOf('6.16.3-cloud-amd64'), machineOf('6.12.9-cloud-amd64')]
  expect(chosenOf(machines, null)?.release).toBe('6.16.3-cloud-amd64')
  expect(chosenOf(machines, '6.12.9-cloud-amd64')?.release).toBe('6.12.9-cloud-amd64')
  expect(chosenOf(machines, '6.12.8-cloud-amd64')).toBeNull()
  expect(chosenOf([], null)).toBeNull()
})

test.each([
  ['is no JSON', '{"machines":'],
  ['is of another version', '{"machines":[{"release":"6.12.0"}]}'],
])('a list of kernels that %s is none: it is made again', async (_, text) => {
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-needs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'machines.json')
  writeFileSync(file, text)
  expect(await preparedMachines(pathToFileURL(file))).toEqual([])
})
