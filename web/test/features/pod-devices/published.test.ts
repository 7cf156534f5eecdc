import { describe, expect, it } from 'vitest'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { POD_DEVICE } from '@expresslane/shared/features/pod-devices/settings'
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { connectionsBeside } from '../../../src/features/pod-devices/published/published.ts'
import { caseCompared } from '../compared.ts'

const devices = ['host', 'veth', 'veth-bpf', 'netkit', 'netkit-bpf']
const plan = experimentPlan.parse({
  arms: devices.map((device) => ({ id: `arm-${device}`, label: device, settings: { [POD_DEVICE]: device } })),
  cases: ['ipv4', 'ipv6'].map((family) => ({ id: family, label: family, family, benchmark: { tool: 'tcp-crr' } })),
  design: { order: 'auto', repeats: 4, seconds: 1, warmups: 0, budget: null },
})

function compared(device: string, on: number, tool = 'tcp-crr', caseId = 'ipv4'): CaseComparison {
  return caseCompared({ caseId, against: 'arm-host', arm: `arm-${device}`, tool, metric: 'tps', off: 2000, on })
}

const beside = (...comparisons: CaseComparison[]) =>
  connectionsBeside({ steps: [], plan, order: 'interleaved', measurements: [], comparisons })

describe('the published gain of netkit', () => {
  it('stands next to your veth and netkit, forwarded in the same way', () => {
    const found = beside(
      compared('veth', 1000),
      compared('veth-bpf', 1200),
      compared('netkit', 1010),
      compared('netkit-bpf', 1260),
    )
    expect(found).toHaveLength(1)
    expect(found[0]?.measured.map(({ name, off, on }) => [name, off, on])).toEqual([
      ['veth → netkit', 1000, 1010],
      ['veth, eBPF host routing → netkit, eBPF host routing', 1200, 1260],
    ])
    expect(found[0]?.measured[1]?.ratio).toBeCloseTo(1.05, 9)
  })

  it('does not stand next to a case without netkit, or with another tool', () => {
    expect(beside(compared('veth', 1000), compared('veth-bpf', 1200))).toEqual([])
    expect(beside(compared('veth', 1000, 'tcp-rr'), compared('netkit', 1010, 'tcp-rr'))).toEqual([])
    expect(beside(compared('veth', 1000), compared('netkit', 1010, 'tcp-crr', 'ipv6'))).toEqual([])
  })
})
