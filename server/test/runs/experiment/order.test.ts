/** In which order an experiment measures, and what. */
import { describe, expect, it } from 'vitest'
import { openRig } from '../../support/deps.ts'
import { arm, limited, orderOf, perform, planOf, request, start, theTestbed } from '../../support/runs/experiments.ts'

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
    const rig = openRig({ fakes: [limited(['packets-ipv4'])] })
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
    const rig = openRig({ fakes: [limited(['packets-ipv4'], { cpus: 'There is one CPU here.' })] })
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
