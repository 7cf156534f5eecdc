import { describe, expect, test } from 'vitest'
import { nodeport } from '../../../src/features/nodeport/feature.ts'
import { hook } from '../../../src/features/nodeport/hooks.ts'
import { NODE_PORT } from '../../../src/features/nodeport/roles.ts'
import { nameArm, NODEPORT_HOOK, NODEPORT_SERVICES, phrase, settings } from '../../../src/features/nodeport/settings.ts'
import { capabilitiesFor, settingIssues } from '../../../src/features/settings.ts'
import { planNeeds, possiblePlan } from '../../../src/features/plan.ts'
import type { ArmPlan, TestCase } from '../../../src/measure/experiment.ts'
import { measurement, type Measurement } from '../../../src/measure/measurement.ts'
import { datapathState } from '../../../src/testbed/reading.ts'

const [, services] = settings
const state = datapathState.parse({ at: 1, settings: {}, agents: null, kernel: [], placement: null })

function taken(...values: (readonly [share: number, elsewhere: number])[]): Measurement[] {
  return values.map(([hookShare, elsewhere], index) =>
    measurement.parse({
      arm: 'xdp',
      family: 'ipv4',
      repeat: index + 1,
      startedAt: 1,
      elapsedSeconds: 1,
      benchmark: { tool: 'new-flows', packetBytes: 64 },
      values: { hookShare, elsewhere },
    }),
  )
}

function proves(by: string, measurements: readonly Measurement[]): boolean[] {
  const input = { settings: { [NODEPORT_HOOK]: by }, benchmark: { tool: 'new-flows' }, family: 'ipv4' } as const
  return nodeport.proof({ ...input, measurements, datapath: state }).map(({ ok }) => ok)
}

describe('settings', () => {
  test('each hook needs its own capability, and no forwarding needs none', () => {
    const needs = hook.options.map((one) => capabilitiesFor({ [NODEPORT_HOOK]: one, [NODEPORT_SERVICES]: 5_000 }))
    expect(needs).toEqual([
      [],
      ['nodeport-xdp'],
      ['nodeport-tc'],
      ['nodeport-nftables'],
      ['nodeport-iptables'],
      ['nodeport-ipvs'],
    ])
    expect(nodeport.capabilities.map(({ id }) => [id])).toEqual([
      ...needs.slice(1),
      ['nodeport-thread'],
      ['nodeport-rate'],
    ])
  })

  test('services are a number from 1 to 5,000', () => {
    expect(services.control.parse('5,000')).toBe(5_000)
    for (const text of ['0', '5001', 'many', '1.5']) expect(services.control.parse(text)).toBeNull()
    expect(settingIssues({ [NODEPORT_SERVICES]: 0, [NODEPORT_HOOK]: 'ebpf' })).toHaveLength(2)
  })

  test('arms are named by hook, and by the number of services if there are several', () => {
    const of = { [NODEPORT_HOOK]: 'iptables', [NODEPORT_SERVICES]: 5_000 }
    expect(nameArm(of)).toEqual({ id: 'iptables-5000', label: 'iptables, 5,000 services' })
    expect(phrase(of)).toBe('with iptables and 5,000 services')
    expect(nameArm({ [NODEPORT_HOOK]: 'none' })).toEqual({ id: 'none', label: 'No forwarding' })
  })

  test('the NodePort is in Kubernetes’ range', () => {
    expect(NODE_PORT).toBeGreaterThanOrEqual(30_000)
    expect(NODE_PORT).toBeLessThanOrEqual(32_767)
  })
})

describe('a plan where some hooks are impossible', () => {
  const arm = (by: string): ArmPlan => ({ id: by, label: by, settings: { [NODEPORT_HOOK]: by } })
  const cases: TestCase[] = [{ id: 'one', label: 'one', family: 'ipv4', benchmark: { tool: 'new-flows' } }]
  const plan = { arms: ['nftables', 'iptables', 'xdp'].map(arm), cases }
  const needsRoot = (need: string): string | null => (need === 'nodeport-xdp' ? 'BPF needs root here.' : null)

  test('does without them, and says why', () => {
    const { plan: left, leftOut } = possiblePlan(plan, ['nodeport-xdp'], needsRoot)
    expect(left.arms.map(({ id }) => id)).toEqual(['nftables', 'iptables'])
    expect(leftOut).toEqual([{ id: 'xdp', label: 'xdp', reason: 'BPF needs root here.' }])
  })

  test('stays whole if it must not do without them, or if one arm would remain', () => {
    expect(possiblePlan(plan, [], needsRoot)).toEqual({ plan, leftOut: [] })
    const two = { ...plan, arms: ['iptables', 'xdp'].map(arm) }
    expect(possiblePlan(two, ['nodeport-xdp'], needsRoot)).toEqual({ plan: two, leftOut: [] })
  })

  test('needs what its cases set, too', () => {
    const xdp = cases.map((one) => ({ ...one, settings: { [NODEPORT_HOOK]: 'xdp' } }))
    const any = { id: 'any', label: 'any', settings: {} }
    expect(planNeeds({ arms: [any], cases: xdp })).toEqual(['nodeport-xdp'])
    expect(planNeeds({ arms: [arm('iptables')], cases: xdp })).toEqual(['nodeport-iptables'])
  })
})

describe('the proof', () => {
  test.each([
    ['each packet passed the hook and no other', taken([1, 0], [0.999, 0]), [true, true]],
    ['netfilter counted several packets of a flow', taken([8, 0], [1, 0]), [true, true]],
    ['another hook saw packets', taken([1, 0], [1, 7]), [true, false]],
    ['one run did not pass the hook', taken([1, 0], [0.2, 0]), [false, true]],
    ['nothing was measured', [], [false, false]],
  ])('%s', (_name, measurements, ok) => expect(proves('xdp', measurements)).toEqual(ok))

  test('without forwarding no hook may have counted anything', () => {
    expect(proves('none', taken([0, 0], [0, 0]))).toEqual([true])
    expect(proves('none', taken([0, 0], [0, 3]))).toEqual([false])
    expect(proves('none', [])).toEqual([false])
  })
})

test.each(nodeport.benchmarks)('the usual parameters of $tool are valid, and each metric exists', (kind) => {
  expect(kind.schema.parse(kind.usual)).toEqual(kind.usual)
  const known = nodeport.metrics.map(({ id }) => id)
  const named = [kind.live, ...kind.compared, ...kind.charts.flat(), ...kind.beside, ...kind.figures, ...kind.columns]
  expect(known).toEqual(expect.arrayContaining(named))
})
