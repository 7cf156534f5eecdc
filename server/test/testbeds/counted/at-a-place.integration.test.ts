/** The counted machine where an agent starts QEMU, as in a pod. The agent's place is a process of this machine. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { LabError } from '@expresslane/shared/base/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectAgent } from '../../../src/testbeds/agent/connect.ts'
import type { Place } from '../../../src/testbeds/agent/place.ts'
import { startQemuAt } from '../../../src/testbeds/counted/qemu-at.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { isRunning, until } from '../netns/host.ts'
import { lacksMachine, machineHere, runOn, standsStill } from './here.ts'

const agentProgram = fileURLToPath(new URL('../../../native/bin/agent-x64', import.meta.url))

/** Connects to an agent of this machine. It is in no namespace of its own, as the agent of a container. */
async function placeHere(): Promise<Place & { readonly pid: number }> {
  const child = spawn(agentProgram, ['stdio', '30'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const reason = new LabError('testbed_gone', 'The place is gone.', 'Start it again.')
  const ended = once(child, 'close').then(() => ({ unmet: reason, gone: reason }))
  const wire = {
    name: 'the place',
    stream: Duplex.from({ readable: child.stdout, writable: child.stdin }),
    ended,
    words: () => '',
    async close() {
      child.stdin.end()
      await ended
    },
  }
  const agent = await connectAgent(wire, { connectMs: 60_000 }, new AbortController().signal)
  const toolPath = process.env['PATH'] ?? ''
  const pid = child.pid ?? Number.NaN
  return { ...agent, pid, name: wire.name, toolPath, busy: () => () => {}, goOn: () => {}, close: wire.close }
}

/** The id of the QEMU that the agent started. Beside these tests other agents can have a QEMU, those of pods too. */
function qemuOf(agent: number): number {
  const argv = ['--parent', `${agent}`, '--full', 'qemu-system.*stdio,signal=off']
  const [pid, ...more] = execFileSync('pgrep', argv, { encoding: 'utf8' }).trim().split('\n')
  expect(more).toEqual([])
  return Number(pid)
}

describe.skipIf(lacksMachine !== null)('the counted machine at a place', () => {
  let place: Awaited<ReturnType<typeof placeHere>>
  let machine: Machine
  beforeAll(async () => {
    place = await placeHere()
    machine = machineHere({ start: startQemuAt(async () => place) })
  })
  afterAll(() => machine.close())

  test('boots, and knows its parts', async () => {
    expect(await runOn(machine, ['echo', 'here'])).toMatchObject({ stdout: ['here'], code: 0 })
    expect(await machine.madeOf()).toMatchObject({ QEMU: expect.stringMatching(/^\d+\.\d+/) })
  })

  test('stands still while nobody waits, and goes on', async () => {
    await runOn(machine, ['true'])
    await standsStill(qemuOf(place.pid))
    expect(await runOn(machine, ['echo', 'on'])).toMatchObject({ stdout: ['on'] })
  })

  test('a machine that is closed leaves no QEMU, and the place open', async () => {
    const pid = qemuOf(place.pid)
    await machine.close()
    await until(() => !isRunning(pid), AbortSignal.timeout(60_000))
    expect(await place.ping()).toBe(true)
  })

  test('when the place ends, QEMU ends, and the reason is the place’s', async () => {
    const child = await machine.start({ argv: ['sleep', '1000'], onLine: () => {} })
    const holder = await machine.hold(AbortSignal.timeout(600_000))
    const pid = qemuOf(place.pid)
    await place.close()
    expect(await child.closed).toEqual({ code: null, signal: 'SIGKILL' })
    await expect.poll((): unknown => holder.gone.reason).toMatchObject({ message: 'The place is gone.' })
    await until(() => !isRunning(pid), AbortSignal.timeout(60_000))
  })
})
