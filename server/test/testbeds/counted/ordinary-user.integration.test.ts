/** The counted machine of an ordinary user. */
import { chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { findPrepared } from '../../../src/testbeds/counted/prepared.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { measure, note } from '../../contract/contract-kit.ts'
import { pair, pairOf } from '../../support/runs/pair.ts'
import { lacksMachine, machineHere } from './here.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

describe.skipIf(lacksMachine !== null || !isRoot)('as an ordinary user', async () => {
  if (lacksMachine !== null || !isRoot) return
  // The checkout may be in a folder that only its user can enter.
  const machine = await findPrepared(null)
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-counted-'))
  const copy = (file: string): string => {
    const to = join(folder, basename(file))
    copyFileSync(file, to)
    return to
  }
  const own = { ...machine, vmlinux: copy(machine.vmlinux), initrd: copy(machine.initrd) }
  for (const file of [folder, own.vmlinux, own.initrd]) chownSync(file, NOBODY, NOBODY)
  afterAll(() => rmSync(folder, { recursive: true }))
  // All modules are loaded by now.
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
  const prepared = () => Promise.resolve(own)

  test('this user is not root', () => {
    expect([process.getuid?.(), process.geteuid?.()]).toEqual([NOBODY, NOBODY])
  })

  // Inside of the machine everything runs as its root, so the contracts of the testbed are not repeated for this user.
  test('it boots, has pods, and measures', async () => {
    const testbed = netnsTestbed({ machine: machineHere({ prepared }) })
    onTestFinished(() => testbed.close())
    const { server } = pairOf(await testbed.deploy(pair, 'other-node', note()))
    const { result, packets } = await measure(testbed, server.addresses.ipv4 ?? '')
    expect(result.tps).toBeGreaterThan(0)
    // Without BIG TCP.
    expect(Math.round(packets.perRequest)).toBe(2)
  })
})
