import { describe, expect, it } from 'vitest'
import { publishedBeside, publishedLines, publishedNotes } from '../../src/compare/published.ts'
import type { CaseComparison } from '../../src/compare/comparison.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import type { Settings } from '../../src/base/settings.ts'
import { caseCompared } from './case-compared.ts'

function planOf(tool: string, arms: Readonly<Record<string, Settings>>, families: readonly string[] = ['ipv4']) {
  return experimentPlan.parse({
    arms: Object.entries(arms).map(([id, settings]) => ({ id, label: id, settings })),
    cases: families.map((family) => ({ id: family, label: family, family, benchmark: { tool } })),
    design: { order: 'auto', repeats: 4, seconds: 1, warmups: 0, budget: null },
  })
}

interface Row {
  against: string
  arm: string
  on?: number
  metric?: string
  caseId?: string
}

function comparedWith(
  tool: string,
  { against, arm, on = 2_000, metric = 'tps', caseId = 'ipv4' }: Row,
): CaseComparison {
  return caseCompared({ caseId, against, arm, tool, metric, off: 1_000, on })
}

describe('published results of BIG TCP', () => {
  const plan = planOf('tcp-rr', { off: {}, on: { 'big-tcp-ipv6': true } }, ['ipv6'])
  const result = (metric: string) => ({
    plan,
    comparisons: [comparedWith('tcp-rr', { against: 'off', arm: 'on', metric, caseId: 'ipv6' })],
  })

  it('stand beside a comparison of the same metric, the same family first', () => {
    const [beside, ...others] = publishedBeside('big-tcp', result('tps'))
    expect(others).toEqual([])
    expect(beside?.own.ratio).toBe(2)
    expect(beside?.figures).toHaveLength(7)
    expect(beside?.figures.map(({ family }) => family === 'ipv6').lastIndexOf(true)).toBe(2)
    for (const { off, on, ratio } of beside?.figures ?? [])
      if (off !== null && on !== null) expect(ratio).toBe(on / off)
  })

  it('stand beside a comparison from before tools were recorded', () => {
    const { plan: of, comparisons } = result('tps')
    const old = comparisons.map((one) => ({ ...one, comparison: { ...one.comparison, tool: null } }))
    expect(publishedBeside('big-tcp', { plan: of, comparisons: old })).toHaveLength(1)
  })

  it('say how many runs each figure is the mean of', () => {
    const [beside] = publishedBeside('big-tcp', result('p99'))
    const lab = beside?.figures.filter(({ source }) => source === 'Isovalent lab')
    expect(lab?.map(({ runs }) => runs)).toEqual([
      { off: 3, on: 3 },
      { off: 2, on: 3 },
    ])
  })

  it('stand beside no other metric and no other change', () => {
    expect(publishedBeside('big-tcp', result('p50'))).toEqual([])
    const swapped = { ...result('tps'), plan: planOf('tcp-rr', { off: { 'big-tcp-ipv6': true }, on: {} }, ['ipv6']) }
    expect(publishedBeside('big-tcp', swapped)).toEqual([])
    expect(publishedBeside(null, result('tps'))).toEqual([])
  })

  it('are whole in a report', () => {
    const [line] = publishedLines('big-tcp', result('tps'))
    expect(line).toMatch(/^Transactions: yours \+100.0 %.*; published \+39\.7 % \(Isovalent lab, IPv6\), .*\.$/)
  })

  it('have the retransmits of a stream', () => {
    expect(publishedNotes('big-tcp', planOf('iperf3', { off: {} }))).toEqual([expect.stringContaining('112,984')])
    expect(publishedNotes('big-tcp', plan)).toEqual([])
  })
})

describe('published rates of a NodePort', () => {
  const hooks = ['tc', 'xdp', 'nftables', 'iptables', 'ipvs', 'none']
  const arms = Object.fromEntries(hooks.map((hook) => [hook, { 'nodeport-hook': hook }]))
  const beside = (tool: string, metric: string, ...compared: string[]) =>
    publishedBeside('nodeport', {
      plan: planOf(tool, arms),
      comparisons: compared.map((arm) => comparedWith(tool, { against: 'tc', arm, metric })),
    })

  it('stand beside comparisons of hooks that were published, and IPVS beside iptables', () => {
    const found = beside('forward-max', 'forwardRate', ...hooks.slice(1))
    expect(
      found.map(({ title, figures }) => [title.replace(/^.*: /, ''), figures[0]?.ratio, figures[0]?.bound]),
    ).toEqual([
      ['xdp vs. tc', 10 / 3.5, 'at least'],
      ['iptables vs. tc', 2.3 / 3.5, null],
      ['ipvs vs. tc', 1.9 / 3.5, null],
      ['ipvs vs. iptables', 1.9 / 2.3, null],
    ])
    expect(found.at(-1)?.own).toMatchObject({ ratio: 1, interval: null })
  })

  it('stand beside no other tool and no other metric', () => {
    expect(beside('forward-max', 'cpuPerPacket', 'xdp')).toEqual([])
    expect(beside('new-flows', 'forwardRate', 'xdp')).toEqual([])
  })

  it('say who has no idle CPU time at which rate', () => {
    expect(publishedNotes('nodeport', planOf('forward-paced', { tc: {} })).join(' ')).toContain(
      'TC has none left at 4 million',
    )
    expect(publishedNotes('nodeport', planOf('forward-max', arms)).join(' ')).toContain(
      'XDP 10, TC 3.5, iptables 2.3, IPVS 1.9 million',
    )
  })
})

describe('the published gain of netkit', () => {
  const devices = ['host', 'veth', 'veth-bpf', 'netkit', 'netkit-bpf']
  const arms = Object.fromEntries(devices.map((device) => [device, { 'pod-device': device }]))
  const plan = planOf('tcp-crr', arms, ['ipv4', 'ipv6'])
  const beside = (...rows: Omit<Row, 'against'>[]) =>
    publishedBeside('pod-devices', {
      plan,
      comparisons: rows.map((row) => comparedWith('tcp-crr', { against: 'host', ...row })),
    })

  it('stands beside your veth and netkit, forwarded in the same way', () => {
    const found = beside(
      { arm: 'veth', on: 1_000 },
      { arm: 'veth-bpf', on: 1_200 },
      { arm: 'netkit', on: 1_010 },
      { arm: 'netkit-bpf', on: 1_260 },
    )
    expect(found.map(({ title, own }) => [title, own.off, own.on, own.interval])).toEqual([
      ['Transactions: ipv4: netkit vs. veth', 1_000, 1_010, null],
      ['Transactions: ipv4: netkit-bpf vs. veth-bpf', 1_200, 1_260, null],
    ])
    expect(found[1]?.own.ratio).toBeCloseTo(1.05, 9)
  })

  it('does not stand beside a case without netkit', () => {
    expect(beside({ arm: 'veth' }, { arm: 'veth-bpf' })).toEqual([])
    expect(beside({ arm: 'veth' }, { arm: 'netkit', caseId: 'ipv6' })).toEqual([])
  })
})
