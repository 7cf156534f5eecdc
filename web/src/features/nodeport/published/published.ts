/** Published rates of ways to forward a NodePort, to show next to your own. They are never part of a computation. Pure. */
import { forwardMax } from '@expresslane/shared/features/nodeport/benchmarks'
import { hookName, type Hook } from '@expresslane/shared/features/nodeport/hooks'
import { hookIn } from '@expresslane/shared/features/nodeport/settings'
import { capitalized } from '@expresslane/shared/features/words'
import type { ComparedRow } from '@expresslane/shared/compare/comparison'
import type { Result } from '@expresslane/shared/run/result'

export const publishedForwarding = {
  source: 'Spiderpool',
  /** Sent by pktgen, in millions of packets per second. */
  offeredMpps: 10,
  /** Forwarded, in millions of packets per second. */
  mpps: { xdp: 10, tc: 3.5, iptables: 2.3, ipvs: 1.9 } as Readonly<Partial<Record<Hook, number>>>,
} as const

/** `XDP 10, TC 3.5, iptables 2.3, IPVS 1.9`. */
export function publishedRates(): string {
  const rates = Object.entries(publishedForwarding.mpps) as readonly (readonly [Hook, number])[]
  return rates.map(([hook, mpps]) => `${hookName[hook]} ${mpps}`).join(', ')
}

/** A comparison of yours, and the same two hooks as published. */
export interface RateBeside {
  readonly key: string
  /** `XDP vs. TC`. */
  readonly title: string
  readonly own: ComparedRow
  readonly ratio: number
  /** `3.5 → 10 Mpps`. */
  readonly figures: string
  /** A hook that forwards everything that is offered could forward more. */
  readonly bound: 'at least' | 'at most' | null
}

/** Your comparisons of the greatest rate whose two hooks have published rates. */
export function ratesBeside({ plan, comparisons }: Result): RateBeside[] {
  const hookOf = (arm: string): Hook => hookIn(plan.arms.find(({ id }) => id === arm)?.settings ?? {})
  return comparisons.flatMap(({ caseId, against, arm, comparison }) => {
    const own = comparison.rows.find(({ metric }) => metric === 'forwardRate')
    const [off, on] = [publishedForwarding.mpps[hookOf(against)], publishedForwarding.mpps[hookOf(arm)]]
    if (comparison.tool !== forwardMax.tool || own === undefined || off === undefined || on === undefined) return []
    if (hookOf(against) === hookOf(arm)) return []
    const of = plan.cases.length === 1 ? null : plan.cases.find(({ id }) => id === caseId)
    const names = `${hookName[hookOf(arm)]} vs. ${hookName[hookOf(against)]}`
    const all = publishedForwarding.offeredMpps
    return [
      {
        key: `${caseId} ${arm}`,
        title: of === null || of === undefined ? capitalized(names) : `${of.label}: ${names}`,
        own,
        ratio: on / off,
        figures: `${off} → ${on} Mpps`,
        bound: on === all ? 'at least' : off === all ? 'at most' : null,
      },
    ]
  })
}
