/** The counted machine of an ordinary user. */
import { chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findPrepared } from '../../../src/testbeds/counted/prepared.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { bigTcpContract } from '../../contract/contract-big-tcp.ts'
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
  // Inside of the machine everything runs as its root, so the contract of the testbed is not repeated for this user.
  bigTcpContract('counted, as an ordinary user', () => netnsTestbed({ machine: machineHere({ prepared }) }))
})
