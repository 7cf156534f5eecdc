/** Live readings: for subscribers, when something differs, and never during a measurement. */
import { spawn } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { LabError } from '@expresslane/shared/base/errors'
import { formatTestbedId } from '@expresslane/shared/testbed/id'
import { runId } from '@expresslane/shared/run/events'
import { describe, expect, it } from 'vitest'
import { createRunLog } from '../../src/runs/log/run-log.ts'
import type { LiveFrame } from '@expresslane/shared/wire/stream'
import { LIVE_EVERY_MS } from '../../src/runs/live/watch.ts'
import { openStore } from '../../src/store/open.ts'
import { ownerOf } from '../../src/store/owner.ts'
import type { CallContext } from '../../src/testbeds/testbed.ts'
import { testClock } from '../support/clock.ts'
import { beginSession, openRig, runStep } from '../support/deps.ts'
import type { FakeOptions } from '../support/fakes/fake-outside.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import { latch } from '../support/latch.ts'
import { startedRun } from '../support/runs/runs.ts'
import { bigTcp } from '../support/runs/settings.ts'

const silent: CallContext = { signal: new AbortController().signal, emit: () => {} }

function look(fake = createFakeTestbed(), others: Pick<FakeOptions, 'ssh'> = {}) {
  const clock = testClock()
  const { deps } = openRig({ clock, fakes: [fake], ...others })
  const frames: LiveFrame[] = []
  const waiting = new Set<() => void>()
  const listen = () =>
    deps.live.subscribe((frame) => {
      frames.push(frame)
      for (const check of waiting) check()
    })
  return {
    deps,
    fake,
    clock,
    frames,
    listen,
    /** Resolves once so many frames have arrived. */
    async arrived(count: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const check = (): void => {
        if (frames.length >= count) resolve()
      }
      waiting.add(check)
      check()
      await promise
      waiting.delete(check)
      // The reading is over when its timer is set: with fakes, before the next turn.
      await turn()
    },
    /** Lets the watch read once more; a fake's reading waits for nothing but promises. */
    async round(): Promise<void> {
      clock.advance(LIVE_EVERY_MS)
      await turn()
    },
    readings: () => fake.passed.filter((door) => door === 'read').length,
  }
}

describe('a subscriber', () => {
  it('receives the path once, and again when it changes', async () => {
    const { fake, frames, listen, arrived, round, readings } = look()
    listen()
    await arrived(1)
    await round()
    await round()
    expect(readings()).toBe(3)
    expect(frames).toMatchObject([{ testbed: 'netns', incarnation: fake.id, problem: null }])
    await fake.set(bigTcp({ ipv4: true }), silent)
    await round()
    await arrived(2)
    expect(frames.map((frame) => frame.datapath?.settings['big-tcp-ipv4'])).toEqual([false, true])
  })

  it('receives a changed limit even before a device has it', async () => {
    const { fake, frames, listen, arrived, round } = look()
    listen()
    await arrived(1)
    await fake.set(bigTcp({ limit: 131_072 }), silent)
    await round()
    await arrived(2)
    expect(frames.map((frame) => frame.datapath?.settings['size-limit'])).toEqual([null, 131_072])
    expect(frames[0]?.datapath?.kernel).toEqual(frames[1]?.datapath?.kernel)
  })

  it('receives the last reading at once if it subscribes later', async () => {
    const { frames, listen, arrived } = look()
    listen()
    await arrived(1)
    listen()
    expect(frames).toHaveLength(2)
    expect(frames[1]).toBe(frames[0])
  })

  it('receives readings that take long less often, but not seldom', async () => {
    const { deps, fake, clock, listen, arrived, round, readings } = look()
    const { read } = fake
    const tookMs = [200, 10_000]
    fake.read = async (context) => {
      clock.advance(tookMs.shift() ?? 0)
      return await read(context)
    }
    listen()
    await arrived(1)
    await round()
    expect(readings()).toBe(1)
    await round()
    expect(readings()).toBe(2)
    for (let seconds = 1; seconds <= 4; seconds += 1) await round()
    expect(readings()).toBe(2)
    await round()
    expect(readings()).toBe(3)
    await deps.live.close()
  })

  it('costs nothing after it unsubscribes', async () => {
    const { listen, arrived, round, readings } = look()
    const leave = listen()
    await arrived(1)
    leave()
    await round()
    await round()
    expect(readings()).toBe(1)
  })

  it('receives the error after two failed readings, and the path when it can be read again', async () => {
    const { fake, frames, listen, arrived, round } = look()
    const gone = new LabError('testbed_gone', 'It is gone.', 'Wait.')
    listen()
    await arrived(1)
    fake.fail('read', gone)
    await round()
    await round()
    expect(frames).toHaveLength(1)
    for (let failures = 0; failures < 3; failures += 1) {
      fake.fail('read', gone)
      await round()
    }
    expect(frames).toHaveLength(2)
    expect(frames[1]).toMatchObject({ datapath: null, problem: gone.toProblem(), incarnation: fake.id })
    await round()
    expect(frames).toHaveLength(3)
    expect(frames[2]).toMatchObject({ problem: null, datapath: frames[0]?.datapath })
  })
})

/** A testbed that reports changes: `change` makes it report one. */
function reporting() {
  const fake = createFakeTestbed()
  const open = { watches: 0 }
  let changed = latch()
  async function* changes({ signal }: CallContext): AsyncGenerator<void> {
    open.watches += 1
    try {
      for (;;) {
        yield
        await changed.pass(signal)
        changed = latch()
      }
    } finally {
      open.watches -= 1
    }
  }
  return { fake: Object.assign(fake, { changes }), open, change: () => changed.open() }
}

describe('a testbed that reports changes', () => {
  it('is read at first, and then only after changes', async () => {
    const { fake, change } = reporting()
    const { listen, arrived, round, readings } = look(fake)
    listen()
    await arrived(1)
    for (let rounds = 0; rounds < 5; rounds += 1) await round()
    expect(readings()).toBe(1)
    await fake.set(bigTcp({ ipv6: true }), silent)
    change()
    await arrived(2)
    expect(readings()).toBe(2)
  })

  it('is not watched without subscribers, and is watched again for the next one', async () => {
    const { fake, open } = reporting()
    const { listen, arrived, round } = look(fake)
    const leave = listen()
    await arrived(1)
    expect(open.watches).toBe(1)
    leave()
    await round()
    expect(open.watches).toBe(0)
    listen()
    await arrived(3)
    expect(open.watches).toBe(1)
  })
})

describe('a testbed that can’t be watched', () => {
  it('is tried again and again, and nothing is kept of the pauses that are over', async () => {
    const signals: AbortSignal[] = []
    const fake = createFakeTestbed()
    function changes({ signal }: CallContext): never {
      signals.push(signal)
      throw new LabError('cluster_unreachable', 'It is away.', 'Wait.')
    }
    const { listen, round } = look(Object.assign(fake, { changes }))
    const leave = listen()
    for (let rounds = 0; rounds < 20; rounds += 1) await round()
    expect(signals.length).toBeGreaterThan(5)
    const [signal] = signals
    expect(signal === undefined ? [] : getEventListeners(signal, 'abort')).toHaveLength(1)
    leave()
    await round()
    expect(signal === undefined ? [] : getEventListeners(signal, 'abort')).toHaveLength(0)
  })
})

describe('a host over ssh', () => {
  const ssh = formatTestbedId({ kind: 'ssh', context: null, owner: null })
  const forwarder = formatTestbedId({ kind: 'ssh', context: 'forwarder', owner: null })

  it('is connected to when a person asks for it, and not for its path', async () => {
    let connections = 0
    function connect() {
      connections += 1
      return createFakeTestbed()
    }
    const { deps, frames, listen, arrived, round } = look(undefined, { ssh: connect })
    listen()
    await arrived(1)
    for (let rounds = 0; rounds < 5; rounds += 1) await round()
    expect([connections, frames.map(({ testbed }) => testbed)]).toEqual([0, ['netns']])
    await deps.status.view(ssh, true)
    await round()
    await arrived(2)
    expect([connections, frames.map(({ testbed }) => testbed)]).toEqual([1, ['netns', 'ssh']])
  })

  it('is not read while another of its testbeds measures', async () => {
    const { deps } = look(undefined, { ssh: () => createFakeTestbed() })
    expect([deps.status.quiet(ssh), deps.status.quiet(forwarder)]).toEqual([false, false])
    startedRun(deps.store, deps.log, runId.parse('r_00000001'), { testbed: forwarder })
    expect([deps.status.quiet(ssh), deps.status.quiet(forwarder)]).toEqual([true, true])
  })
})

describe('a measurement', () => {
  it('is not disturbed, and the path is sent when it has ended', async () => {
    const { deps, fake, frames, listen, arrived, round, readings } = look()
    const session = await beginSession(deps)
    await runStep(deps, session, 'deploy')
    listen()
    await arrived(1)
    const measuring = fake.hold('netperf')
    const params = { repeats: 1, seconds: 1 }
    const { runId: id } = await deps.scheduler.start(session, { stepId: 'baseline', params, solve: false })
    await measuring.reached
    const before = readings()
    for (let rounds = 0; rounds < 5; rounds += 1) await round()
    expect(readings()).toBe(before)
    const known = frames.length
    measuring.open()
    await deps.scheduler.settled(id)
    await arrived(known + 1)
    expect(frames.at(-1)?.datapath?.placement).not.toBeNull()
  })

  it("in an experiment shows the path of each visit, from the run's own readings", async () => {
    const { deps, fake, frames, listen, arrived } = look()
    const session = await beginSession(deps, 'how-big')
    listen()
    await arrived(1)
    const measuring = fake.hold('netperf')
    const { runId: id } = await deps.scheduler.start(session, {
      stepId: 'sweep',
      params: { repeats: 1, seconds: 1 },
      solve: false,
    })
    await measuring.reached
    expect(frames.at(-1)).toMatchObject({ testbed: 'netns', incarnation: fake.id, problem: null })
    expect(frames.at(-1)?.datapath?.placement).not.toBeNull()
    measuring.open()
    await deps.scheduler.settled(id)
    const sizes = frames.map(({ datapath }) => datapath?.kernel.find(({ role }) => role === 'pod')?.gsoIpv4MaxSize)
    expect(new Set(sizes.filter((size) => size !== undefined)).size).toBeGreaterThan(1)
    expect(frames.at(-1)?.datapath?.placement).toBeNull()
  })

  it('ends a reading in progress when it starts, which is not a failure', async () => {
    const { deps, fake, frames, listen, arrived, round } = look()
    const session = await beginSession(deps)
    await runStep(deps, session, 'deploy')
    listen()
    await arrived(1)
    const reading = fake.hold('read')
    await round()
    await reading.reached
    await runStep(deps, session, 'baseline')
    await round()
    await arrived(2)
    expect(frames.filter((frame) => frame.problem !== null)).toEqual([])
  })
})

describe('another process on the same data directory', () => {
  it('is noticed, its measurement is not disturbed, and it is forgotten when it dies', async () => {
    const { deps, frames, listen, arrived, round, readings } = look()
    listen()
    await arrived(1)
    const id = runId.parse('r_00000001')
    const other = openStore(deps.config.dataDir)
    const child = spawn('sleep', ['1000'])
    await once(child, 'spawn')
    const owner = ownerOf(child.pid ?? 0)
    startedRun(
      other,
      createRunLog(other, deps.clock, () => {}),
      id,
      { owner },
    )
    other.close()
    await round()
    const before = readings()
    await round()
    expect(readings()).toBe(before)
    expect(deps.log.state(id)?.state).toBe('running')
    child.kill('SIGKILL')
    await once(child, 'close')
    await round()
    expect(deps.log.state(id)).toMatchObject({ state: 'interrupted', problem: { code: 'server_restarted' } })
    await arrived(2)
    expect(readings()).toBeGreaterThan(before)
    expect(frames.at(-1)?.problem).toBeNull()
  })
})
