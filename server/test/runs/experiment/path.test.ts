/** The path after an experiment, and the paths that an experiment refuses to measure. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Primitive } from '@expresslane/shared/testbed/primitive'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { describe, expect, it } from 'vitest'
import { openRig, stateOf } from '../../support/deps.ts'
import { createFakeTestbed, type FakeTestbed } from '../../support/fakes/fake-testbed.ts'
import { bigTcp } from '../../support/runs/settings.ts'
import {
  arm,
  limited,
  orderOf,
  perform,
  planOf,
  request,
  start,
  theTestbed,
  type Parts,
} from '../../support/runs/experiments.ts'

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
    rig.deps.scheduler.cancel(runId)
    await rig.deps.scheduler.settled(runId)
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
    rig.deps.scheduler.cancel(runId)
    await rig.deps.scheduler.settled(runId)
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
    // The earlier pods are gone by then.
    const setting = fake.hold('set')
    const performed = perform(rig, planOf())
    await setting.reached
    fake.fail('remove', new LabError('testbed_gone', 'It is gone.', 'Start again.'))
    setting.open()
    const run = await performed
    expect(run).toMatchObject({ state: 'failed', problem: first.toProblem() })
    expect(rig.deps.store.snapshots.read(thisMachine, fake.id)).toEqual(
      bigTcp({ ipv4: false, ipv6: false, limit: null, mtu: null, cpus: null }),
    )
  })

  it('is left for Restore if switching is slow', async () => {
    const fake = limited(['packets-ipv4'])
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

describe('a setting that the testbed can’t set', () => {
  const reason = 'Its devices can’t.'
  const ofCilium =
    "Cilium sets one size for BIG TCP, the smaller of 192 KiB and the devices' tso_max_size; no other size can be set."

  const refused: [string, Primitive, string, Parts][] = [
    ['a limit', 'packet-limit', ofCilium, { arms: [arm('off', false), arm('128k', true, { 'size-limit': 131_072 })] }],
    ['an MTU', 'mtu', reason, { arms: [arm('1500', false), arm('9000', false, { 'pod-mtu': 9_000 })] }],
    ['a family', 'packets-ipv6', reason, { cases: [request('ipv6')] }],
    ['a tool', 'iperf3', reason, { cases: [{ ...request('ipv4'), benchmark: { tool: 'iperf3' } }] }],
  ]

  it.each(refused)('is refused with the testbed’s or the feature’s reason: %s', async (_, lacking, message, parts) => {
    const fake = limited(['packets-ipv4', 'cilium'], { [lacking]: reason })
    const run = await perform(openRig({ fakes: [fake] }), planOf({}, parts))
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'bad_request', message }, repeats: [] })
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
