/** Boots that are ended, and a machine that ends. QEMU is a script that does nothing, or greets as the agent does. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Opened } from '../../../src/testbeds/agent/opened.ts'
import { createBoots } from '../../../src/testbeds/counted/boots.ts'
import { createCountedMachine } from '../../../src/testbeds/counted/machine.ts'
import { PROTOCOL } from '../../../src/testbeds/agent/frames.ts'
import { bootVm, type Vm } from '../../../src/testbeds/counted/vm.ts'
import type { Prepared } from '../../../src/testbeds/counted/prepared.ts'
import { agentFrame } from '../agent/agent-frames.ts'

/** @param script what is run instead of setpriv, which starts QEMU */
function standIn(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-boots-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['setpriv', 'qemu-system-x86_64']) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(folder, name), 0o755)
  }
  const prepared: Prepared = {
    release: '6.12.0',
    version: '1',
    sha256: '',
    vmlinux: '/dev/null',
    initrd: '/dev/null',
    programsSha256: null,
  }
  return { prepared, surroundings: { env: { PATH: [folder, '/usr/bin', '/bin'].join(delimiter) }, user: null } }
}

const silent = 'exec sleep 1000'
const HELLO = 64

/** Greets with this version of the protocol, and ends when it is asked for something. */
function greeting(protocol: number): string {
  const payload = Buffer.alloc(12)
  payload.writeUInt32LE(protocol)
  const bytes = [...agentFrame(HELLO, 0, payload)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  return `printf '${bytes}' >&3; exec head -c 1 <&3 >/dev/null`
}

const patient = { bootMs: 3_600_000, unusedMs: 3_600_000 }

test('a cancel while QEMU is started ends the boot', async () => {
  const { prepared, surroundings } = standIn(silent)
  const abort = new AbortController()
  const booted = bootVm(prepared, { ...surroundings, ...patient }, abort.signal)
  // The boot does not wait for QEMU's answer yet.
  abort.abort(new Error('not now'))
  await expect(booted).rejects.toThrow('not now')
})

test('a machine that ends before it answers is no machine that was in use', async () => {
  const { prepared, surroundings } = standIn('echo no memory >&2; exit 1')
  const booted = bootVm(prepared, { ...surroundings, ...patient }, new AbortController().signal)
  await expect(booted).rejects.toMatchObject({ code: 'testbed_unavailable', detail: 'no memory\n' })
})

test('a QEMU without plugins boots without the profiler, and the next boot asks no more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-plugins-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const starts = join(folder, 'starts')
  const refuse = `case "$*" in *-plugin*) echo with >>${starts}; exit 1;; *) echo without >>${starts};; esac`
  const { prepared, surroundings } = standIn(`${refuse}; ${greeting(PROTOCOL)}`)
  const boots = createBoots({ ...surroundings, ...patient, prepared: async () => prepared })
  onTestFinished(() => boots.end())
  const vm = await boots.running()
  expect(vm.profiler).toBeNull()
  await vm.close()
  await boots.running()
  expect(readFileSync(starts, 'utf8').trim().split('\n')).toEqual(['with', 'without', 'without'])
})

test('a machine of another version is to be prepared again', async () => {
  const { prepared, surroundings } = standIn(greeting(99))
  const booted = bootVm(prepared, { ...surroundings, ...patient }, new AbortController().signal)
  await expect(booted).rejects.toMatchObject({ code: 'testbed_unavailable', remedyCommand: 'npm run kernel -- newest' })
})

test('a command that meets the end of the machine says so, and not that its program is missing', async () => {
  const { prepared, surroundings } = standIn(greeting(PROTOCOL))
  const machine = createCountedMachine({ ...surroundings, ...patient, prepared: () => Promise.resolve(prepared) })
  onTestFinished(() => machine.close())
  await machine.wake(new AbortController().signal)
  const started = machine.start({ argv: ['true'], onLine: () => {} })
  await expect(started).rejects.toMatchObject({ code: 'testbed_gone' })
})

test('without QEMU it says how to get it', async () => {
  const { prepared } = standIn(silent)
  const nowhere = { env: { PATH: '/no/such/folder' }, user: null }
  const booted = bootVm(prepared, { ...nowhere, ...patient }, new AbortController().signal)
  await expect(booted).rejects.toMatchObject({ code: 'tool_missing' })
})

describe('when several wait for one boot', () => {
  function waiting(): { boots: Opened<Vm>; boot: PromiseWithResolvers<void>; begun: () => number } {
    const { prepared, surroundings } = standIn(silent)
    const boot = Promise.withResolvers<void>()
    let count = 0
    const boots = createBoots({
      ...surroundings,
      ...patient,
      async prepared() {
        count++
        boot.resolve()
        return prepared
      },
    })
    onTestFinished(() => boots.end())
    return { boots, boot, begun: () => count }
  }

  test('and all give up, none of them boots again', async () => {
    const { boots, boot, begun } = waiting()
    const aborts = [new AbortController(), new AbortController()]
    const woken = aborts.map(({ signal }) => boots.wake(signal))
    await boot.promise
    for (const abort of aborts) abort.abort(new Error('not now'))
    for (const one of woken) await expect(one).rejects.toThrow('not now')
    await boots.end()
    expect([begun(), boots.isAtRest()]).toEqual([1, true])
  })

  test('and it is closed, none of them boots again', async () => {
    const { boots, boot, begun } = waiting()
    const results = Promise.allSettled([boots.running(), boots.running(), boots.wake(new AbortController().signal)])
    await boot.promise
    await boots.end()
    for (const result of await results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'testbed_gone' } })
    }
    expect(begun()).toBe(1)
  })

  test('a caller that gives up does not end the boot for the rest', async () => {
    const { boots, boot } = waiting()
    const other = boots.running()
    let ended = false
    void other.catch(() => (ended = true))
    const abort = new AbortController()
    const woken = boots.wake(abort.signal)
    await boot.promise
    abort.abort(new Error('not now'))
    await expect(woken).rejects.toThrow('not now')
    expect(ended).toBe(false)
    await boots.end()
    await expect(other).rejects.toMatchObject({ code: 'testbed_gone' })
  })
})
