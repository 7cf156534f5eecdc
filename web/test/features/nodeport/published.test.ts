import { describe, expect, it } from 'vitest'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { NODEPORT_HOOK } from '@expresslane/shared/features/nodeport/settings'
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { publishedRates, ratesBeside } from '../../../src/features/nodeport/published/published.ts'
import { caseCompared } from '../compared.ts'

const hooks = ['tc', 'xdp', 'nftables', 'iptables', 'none']
const plan = experimentPlan.parse({
  arms: hooks.map((hook) => ({ id: `arm-${hook}`, label: hook, settings: { [NODEPORT_HOOK]: hook } })),
  cases: [{ id: 'small', label: 'Small', family: 'ipv4', benchmark: { tool: 'forward-max' } }],
  design: { order: 'auto', repeats: 4, seconds: 1, warmups: 0, budget: null },
})

function compared(arm: string, metric = 'forwardRate', tool = 'forward-max'): CaseComparison {
  return caseCompared({ caseId: 'small', against: 'arm-tc', arm, tool, metric, off: 1e6, on: 2e6 })
}

const beside = (...comparisons: CaseComparison[]) =>
  ratesBeside({ steps: [], plan, order: 'interleaved', measurements: [], comparisons })

describe('published rates', () => {
  it('are those of the source', () => {
    expect(publishedRates()).toBe('XDP 10, TC 3.5, iptables 2.3, IPVS 1.9')
  })

  it('stand next to comparisons of hooks that were published', () => {
    const found = beside(...['arm-xdp', 'arm-nftables', 'arm-iptables', 'arm-none'].map((arm) => compared(arm)))
    expect(found.map(({ title, figures, bound }) => [title, figures, bound])).toEqual([
      ['XDP vs. TC', '3.5 → 10 Mpps', 'at least'],
      ['iptables vs. TC', '3.5 → 2.3 Mpps', null],
    ])
    expect(found[0]?.ratio).toBeCloseTo(10 / 3.5, 9)
    expect(found[0]?.own.ratio).toBe(2)
  })

  it('stand next to no other tool and no other metric', () => {
    expect(beside(compared('arm-xdp', 'cpuPerPacket'), compared('arm-xdp', 'forwardRate', 'new-flows'))).toEqual([])
  })
})
