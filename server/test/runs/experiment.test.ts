/** The experiment action: in which order it measures, when it stops, and what it leaves behind. */
import { LabError } from '@expresslane/shared/wire/errors'
import { experimentPlan, type Design, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { Settings } from '@expresslane/shared/measure/settings'
import type { StepParams } from '@expresslane/shared/labs/lab'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Capability } from '@expresslane/shared/testbed/testbed'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { describe, expect, it } from 'vitest'
import { testClock } from '../support/clock.ts'
import { beginSession, openRig, stateOf, type Rig } from '../support/deps.ts'
import { createFakeTestbed, type FakeTestbed } from '../support/fakes/fake-testbed.ts'
import { bigTcp } from '../support/runs/settings.ts'

const arm = (id: string, on: boolean, over: Settings = {}) => ({
  id,
  label: id,
  settings: { ...bigTcp({ ipv4: on, ipv6: on }), ...over },
})
const request = (family: 'ipv4' | 'ipv6', bytes = 80_000) => ({
  id: `${family}-${bytes}`,
  label: `${bytes} bytes over ${family}`,
  family,
  benchmark: { tool: 'tcp-rr', requestBytes: bytes, responseBytes: bytes },
})
const plain: Design = { order: 'auto', repeats: 2, seconds: 1, warmups: 0, budget: null }

interface Parts {
  readonly arms?: readonly object[]
  readonly cases?: readonly object[]
}

function planOf(design: Partial<Design> = {}, { arms, cases }: Parts = {}): ExperimentPlan {
  return experimentPlan.parse({
    arms: arms ?? [arm('off', false), arm('on', true)],
    cases: cases ?? [request('ipv4')],
    design: { ...plain, ...design },
  })
}

const start = async ({ deps }: Rig, plan: ExperimentPlan, params: StepParams = {}) =>
  deps.coordinator.start(await beginSession(deps, 'bench'), {
    stepId: 'run',
    params: { ...params, plan },
    solve: false,
  })

async function perform(rig: Rig, plan: ExperimentPlan, params: StepParams = {}): Promise<RunState> {
  const { runId } = await start(rig, plan, params)
  await rig.deps.coordinator.settled(runId)
  return stateOf(rig.deps, runId)
}

async function theTestbed({ deps, fakes }: Rig): Promise<FakeTestbed> {
  await deps.testbeds.get(thisMachine)
  const [fake] = fakes
  if (fake === undefined) throw new Error('no testbed was made')
  return fake
}

/** A fake that can do only so much. */
function limited(capabilities: Capability[], lacks: [Capability, string][] = []): FakeTestbed {
  return { ...createFakeTestbed(), capabilities: new Set(capabilities), lacks: new Map(lacks) }
}

/** `off on on off`; what was thrown away in brackets. */
function orderOf({ repeats }: RunState): string {
  return repeats.map((one) => (one.warmup ? `(${one.arm})` : one.arm)).join(' ')
}

describe('the order', () => {
  it('is ABBA if switching is quick, with warm-ups at the first visit to an arm', async () => {
    const run = await perform(openRig(), planOf({ repeats: 4, warmups: 1 }))
    expect(run).toMatchObject({ state: 'completed', outcome: { passed: true }, problem: null })
    expect(orderOf(run)).toBe('(off) off (on) on on off off on on off')
    expect(run.plan?.design.order).toBe('interleaved')
    expect(run.repeats.map(({ repeat }) => repeat)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(run.repeats.every(({ repeats }) => repeats === 10)).toBe(true)
  })

  it('is one arm after the other if switching is slow', async () => {
    const rig = openRig({ fakes: [limited(['big-tcp-ipv4'])] })
    const run = await perform(rig, planOf({ repeats: 2, warmups: 1 }))
    expect(orderOf(run)).toBe('(off) off off (on) on on')
    expect(run.plan?.design.order).toBe('sequential')
  })

  it('measures every case in each round, and switches once per visit', async () => {
    const rig = openRig()
    const cases = [request('ipv4', 1_000), request('ipv6')]
    const run = await perform(rig, planOf({ repeats: 2 }, { cases }))
    expect(run.repeats.map((one) => `${one.arm} ${one.caseId}`)).toEqual([
      'off ipv4-1000',
      'off ipv6-80000',
      'on ipv4-1000',
      'on ipv6-80000',
      'on ipv4-1000',
      'on ipv6-80000',
      'off ipv4-1000',
      'off ipv6-80000',
    ])
    expect((await theTestbed(rig)).passed.filter((door) => door === 'deploy')).toHaveLength(3)
    expect(run.comparisons.map(({ caseId, arm: of, against }) => [caseId, of, against])).toEqual([
      ['ipv4-1000', 'on', 'off'],
      ['ipv6-80000', 'on', 'off'],
    ])
  })

  it('switches for a case with settings of its own, and compares the arms within each case', async () => {
    const rig = openRig()
    const cases = [131_072, 196_608].map((limit) => ({
      ...request('ipv4'),
      id: `limit-${limit}`,
      settings: { 'size-limit': limit },
    }))
    const run = await perform(rig, planOf({ repeats: 1 }, { cases, arms: [arm('off', false), arm('on', true)] }))
    expect(run).toMatchObject({ state: 'completed', outcome: { passed: true } })
    expect(run.repeats.map((one) => [one.arm, one.measurement?.fingerprint?.settings['size-limit']])).toEqual([
      ['off', 131_072],
      ['off', 196_608],
      ['on', 131_072],
      ['on', 196_608],
    ])
    expect((await theTestbed(rig)).passed.filter((door) => door === 'deploy')).toHaveLength(4)
  })

  it('uses the learner’s changes instead of the plan’s values', async () => {
    const changed = { order: 'sequential', repeats: 1, warmups: 2, seconds: 3, budget: null } as const
    const run = await perform(openRig(), planOf({ repeats: 8 }), changed)
    expect(orderOf(run)).toBe('(off) (off) off (on) (on) on')
    expect(run.repeats.every(({ seconds }) => seconds === 3)).toBe(true)
  })
})

describe('runs of half a second', () => {
  it('take a number of transactions, from the rate of the run before; the first of an arm takes a whole second', async () => {
    const rig = openRig()
    const typed: string[] = []
    rig.deps.log.subscribe(({ event }) => {
      if (event.type === 'command.started') typed.push(event.typed)
    })
    const run = await perform(rig, planOf({ repeats: 2, seconds: 0.5, warmups: 1 }))
    expect(run).toMatchObject({ state: 'completed', outcome: { passed: true } })
    expect(run.repeats.map(({ measurement }) => measurement?.elapsedSeconds)).toEqual([1, 0.5, 1, 0.5, 0.5, 0.5])
    expect(typed.flatMap((line) => /-l (-?\d+)/.exec(line)?.[1] ?? [])).toEqual([
      '1',
      '-5000',
      '1',
      '-5000',
      '-5000',
      '-5000',
    ])
  })

  it('are refused at the start for a tool that takes whole seconds', async () => {
    const stream = { id: 'one', label: 'one stream', family: 'ipv4', benchmark: { tool: 'tcp-stream' } }
    const wish = start(openRig(), planOf({ seconds: 0.5 }, { cases: [stream] }))
    await expect(wish).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('netperf TCP_STREAM measures whole seconds only') as unknown,
    })
  })
})

describe('a setting of the whole experiment', () => {
  it('applies to the arms that do not have it, and is recorded with each measurement', async () => {
    const arms = [arm('off', false), arm('on', true, { 'cpu-placement': 'two-cpus' })]
    const run = await perform(openRig(), planOf({}, { arms }), { settings: { 'cpu-placement': 'scheduler' } })
    expect(run).toMatchObject({ state: 'completed', outcome: { passed: true } })
    expect(run.plan?.arms.map(({ settings }) => settings['cpu-placement'])).toEqual(['scheduler', 'two-cpus'])
    for (const { arm: of, measurement } of run.repeats) {
      expect(measurement?.fingerprint?.cpus).toEqual(of === 'on' ? { client: 0, server: 1 } : {})
    }
  })

  it('is refused with the testbed’s reason where it can’t be set', async () => {
    const rig = openRig({ fakes: [limited(['big-tcp-ipv4'], [['cpu-placement', 'There is one CPU here.']])] })
    const run = await perform(rig, planOf(), { settings: { 'cpu-placement': 'one-cpu' } })
    expect(run).toMatchObject({ state: 'failed', problem: { message: 'There is one CPU here.' } })
  })

  it('is refused at the start if no feature knows it', async () => {
    const wish = start(openRig(), planOf(), { settings: { 'cpu-placement': 'moon' } })
    await expect(wish).rejects.toMatchObject({ code: 'bad_request' })
  })
})

describe('the measurements', () => {
  it('never compare warm-ups, and always have an environment', async () => {
    const rig = openRig()
    const fake = await theTestbed(rig)
    rig.deps.log.subscribe(({ event }) => {
      if (event.type === 'repeat.started') fake.tps = event.warmup ? 1 : event.arm === 'on' ? 15_000 : 10_000
    })
    const run = await perform(rig, planOf({ repeats: 2, warmups: 1 }))
    const [row] = run.comparisons[0]?.comparison.rows ?? []
    expect(row).toMatchObject({ metric: 'tps', offValues: [10_000, 10_000], onValues: [15_000, 15_000], ratio: 1.5 })
    for (const { arm: of, measurement } of run.repeats) {
      expect(measurement?.fingerprint?.settings['big-tcp-ipv4']).toBe(of === 'on')
    }
  })

  it('do not pass if the packets do not match the arm', async () => {
    const rig = openRig()
    const [fake] = [await theTestbed(rig)]
    // Half of what netperf reports: twice as many packets for each request.
    rig.deps.log.subscribe(({ event }) => {
      if (event.type === 'sample.taken') fake.tps = 5_000
      if (event.type === 'repeat.started') fake.tps = 10_000
    })
    const run = await perform(rig, planOf())
    expect(run).toMatchObject({ state: 'completed', outcome: { passed: false } })
    expect(run.outcome?.sentence).toContain('But 4 of the values')
  })
})

describe('a budget', () => {
  const budget = { widthPercent: 5, seconds: 60 }

  /** Ten seconds pass with each run. */
  function slowly(tps: (repeat: number) => number): Rig {
    const clock = testClock()
    const fake = createFakeTestbed()
    const rig = openRig({ clock, fakes: [fake] })
    rig.deps.log.subscribe(({ event }) => {
      if (event.type === 'repeat.started') fake.tps = tps(event.repeat)
      if (event.type === 'measurement.taken') clock.advance(10_000)
    })
    return rig
  }

  it('ends before a block that would exceed the seconds', async () => {
    const run = await perform(
      slowly((repeat) => (repeat % 3 === 0 ? 5_000 : 20_000)),
      planOf({ repeats: 20, budget }),
    )
    expect(orderOf(run)).toBe('off on on off')
    expect(run.outcome?.sentence).toContain('The budget of 60 s is used up')
  })

  it('ends when the interval is narrow enough, after at least the minimum number of runs', async () => {
    const long = { widthPercent: 5, seconds: 600 }
    const run = await perform(
      slowly((repeat) => 10_000 + (repeat % 2)),
      planOf({ repeats: 8, budget: long }),
    )
    expect(run.repeats).toHaveLength(16)
    expect(run.outcome?.sentence).toContain('0.0 % after 160 s')
  })

  it('is refused if not even one block fits', async () => {
    const tight = { ...budget, seconds: 23 }
    const run = await perform(openRig(), planOf({ seconds: 4, warmups: 1, budget: tight }))
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'bad_request' }, repeats: [] })
    expect(run.problem?.message).toContain('takes 24 s, and the budget is 23 s')
  })

  it('is refused with the sequential order', async () => {
    const run = await perform(openRig(), planOf({ order: 'sequential', budget }))
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'bad_request' }, repeats: [] })
  })
})

describe('the path after an experiment', () => {
  it('is restored, without pods and with nothing left to restore', async () => {
    const rig = openRig()
    const fake = await theTestbed(rig)
    await fake.set(bigTcp({ ipv6: true }), { signal: new AbortController().signal, emit: () => {} })
    const run = await perform(rig, planOf())
    expect(run.datapath).toMatchObject({ settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': true }, placement: null })
    expect(rig.deps.store.snapshots.read(thisMachine, fake.id)).toBeNull()
  })

  it('keeps the settings that an earlier run left for Restore', async () => {
    const rig = openRig()
    const fake = await theTestbed(rig)
    const earlier = { ipv4: true, ipv6: true }
    rig.deps.store.snapshots.keep(thisMachine, fake.id, earlier, rig.deps.clock.now())
    await perform(rig, planOf())
    expect(rig.deps.store.snapshots.read(thisMachine, fake.id)).toEqual(earlier)
  })

  it('is the same after a cancel in the middle of a run', async () => {
    const rig = openRig()
    const fake = await theTestbed(rig)
    const { runId } = await start(rig, planOf({ repeats: 4 }))
    const onArm = Promise.withResolvers<void>()
    rig.deps.log.subscribe(({ event }) => {
      if (event.type !== 'repeat.started' || event.arm !== 'on') return
      void fake.hold('netperf').reached.then(onArm.resolve)
    })
    await onArm.promise
    expect((await fake.read({ signal: new AbortController().signal, emit: () => {} })).settings).toMatchObject({
      'big-tcp-ipv4': true,
    })
    rig.deps.coordinator.cancel(runId)
    await rig.deps.coordinator.settled(runId)
    const run = stateOf(rig.deps, runId)
    expect(run).toMatchObject({ state: 'cancelled', problem: null, outcome: null })
    expect(run.datapath).toMatchObject({ settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false }, placement: null })
    expect(rig.deps.store.snapshots.read(thisMachine, fake.id)).toBeNull()
  })

  it('is the same after a cancel while the path is restored', async () => {
    const rig = openRig()
    const fake = await theTestbed(rig)
    const { runId } = await start(rig, planOf({ repeats: 1 }))
    const leaving = Promise.withResolvers<void>()
    rig.deps.log.subscribe(({ event }) => {
      // Only the last comparisons have all rows; what comes next is the way back.
      if (event.type !== 'cases.compared' || (event.comparisons[0]?.comparison.rows.length ?? 0) < 2) return
      void fake.hold('remove').reached.then(leaving.resolve)
    })
    await leaving.promise
    rig.deps.coordinator.cancel(runId)
    await rig.deps.coordinator.settled(runId)
    const run = stateOf(rig.deps, runId)
    expect(run).toMatchObject({ state: 'cancelled', problem: null })
    expect(run.datapath).toMatchObject({ settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false }, placement: null })
    expect(rig.deps.store.snapshots.read(thisMachine, fake.id)).toBeNull()
  })

  it('reports the first error, and keeps the settings when restoring fails too', async () => {
    const rig = openRig()
    const fake = await theTestbed(rig)
    const first = new LabError('workload_not_ready', 'The pods did not start.', 'Try again.')
    fake.fail('deploy', first)
    fake.fail('remove', new LabError('testbed_gone', 'It is gone.', 'Start again.'))
    const run = await perform(rig, planOf())
    expect(run).toMatchObject({ state: 'failed', problem: first.toProblem() })
    expect(rig.deps.store.snapshots.read(thisMachine, fake.id)).toEqual(
      bigTcp({ ipv4: false, ipv6: false, limit: null, mtu: null, cpus: null }),
    )
  })

  it('is left for Restore if switching is slow', async () => {
    const fake = limited(['big-tcp-ipv4'])
    const rig = openRig({ fakes: [fake] })
    const run = await perform(rig, planOf())
    expect(run.datapath?.settings).toMatchObject({ 'big-tcp-ipv4': true })
    expect(rig.deps.store.snapshots.read(thisMachine, fake.id)).toEqual(
      bigTcp({ ipv4: false, ipv6: false, limit: null, mtu: null, cpus: null }),
    )
  })
})

describe('an arm without its settings', () => {
  it('is not measured', async () => {
    const fake = createFakeTestbed()
    const deaf: FakeTestbed = { ...fake, set: (_, context) => fake.set(bigTcp({}), context) }
    const run = await perform(openRig({ fakes: [deaf] }), planOf())
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'datapath_not_taken' } })
    expect(orderOf(run)).toBe('off')
    expect(run.problem?.message).toMatch(/not set to “on”/)
  })
})

describe('what the testbed can’t set', () => {
  const reason = 'Cilium computes the size by itself.'

  const refused: [string, Capability, Parts][] = [
    ['a limit', 'size-limit', { arms: [arm('off', false), arm('128k', true, { 'size-limit': 131_072 })] }],
    ['an MTU', 'pod-mtu', { arms: [arm('1500', false), arm('9000', false, { 'pod-mtu': 9_000 })] }],
    ['a family', 'big-tcp-ipv6', { cases: [request('ipv6')] }],
    ['a tool', 'iperf3', { cases: [{ ...request('ipv4'), benchmark: { tool: 'iperf3' } }] }],
  ]

  it.each(refused)('is refused with the testbed’s reason: %s', async (_, lacking, parts) => {
    const fake = limited(['big-tcp-ipv4'], [[lacking, reason]])
    const run = await perform(openRig({ fakes: [fake] }), planOf({}, parts))
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'bad_request', message: reason }, repeats: [] })
    expect(fake.passed).not.toContain('set')
  })

  it('does not include anything for arms without BIG TCP, which need no family', async () => {
    const run = await perform(
      openRig({ fakes: [limited([])] }),
      planOf({}, { arms: [arm('a', false), arm('b', false)] }),
    )
    expect(run).toMatchObject({ state: 'completed', outcome: { passed: true } })
  })
})
