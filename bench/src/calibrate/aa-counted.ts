/** Equal arms on the counted machine: the differences within an experiment, and between two machines. Pure. */
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { experimentPlan, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { compareAcross, compareValuesSeries, valuesLineOf, withValueEffect, type ValuesSeries } from './aa-values.ts'
import type { Repeated } from './collect.ts'

/**
 * Four repeats, as in the labs on the counted machine. The arms come one after the other, as in the BIG TCP labs: each
 * arm has its pods for all of its repeats, so a difference between pods is between the arms, where it could make a
 * claim.
 */
interface CountedCase {
  readonly testbed: string
  readonly plan: ExperimentPlan
}

function caseOf(
  testbed: string,
  label: string,
  settings: ExperimentPlan['arms'][number]['settings'],
  benchmark: ExperimentPlan['cases'][number]['benchmark'],
  seconds: number,
): CountedCase {
  return {
    testbed,
    plan: experimentPlan.parse({
      arms: ['a', 'b'].map((id) => ({ id, label: `${label} (${id})`, settings })),
      cases: [{ id: 'case', label, family: 'ipv4', benchmark }],
      design: { order: 'sequential', repeats: 4, seconds, warmups: 0, budget: null },
    }),
  }
}

const bigTcpOff = { 'big-tcp-ipv4': false }
const large = { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 }
const small = { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 }

/** By the name of the file that keeps a case's series. */
export const countedCases = {
  'big-tcp': caseOf('counted', 'TCP_RR of 80,000 bytes, BIG TCP off', bigTcpOff, large, 0.5),
  'pod-devices': caseOf('counted:devices', 'TCP_RR of 1 byte, veth', { 'pod-device': 'veth' }, small, 0.5),
} as const satisfies Record<string, CountedCase>

/** The series to measure. Progress requests disturb nothing, because instructions are counted; they only take time. */
export function countedRepeated({ plan, testbed }: CountedCase): Repeated {
  return { plan, testbed, quietMs: 10_000, lineOf: valuesLineOf }
}

/** How far apart equal arms are: the share of pairs whose medians differ by no more than each of these. */
export interface Apart {
  readonly pairs: number
  /** By which 95 and 99 of 100 pairs differ at most, and the largest difference: as shares of the first median. */
  readonly p95: number
  readonly p99: number
  readonly most: number
}

/** @param comparisons at least one, of equal arms */
function apart(comparisons: readonly Comparison[]): Apart {
  const by = comparisons.flatMap(({ rows: [main] }) => (main === undefined ? [] : [Math.abs(main.ratio - 1)]))
  const sorted = by.toSorted((one, other) => one - other)
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
  return { pairs: sorted.length, p95: at(0.95), p99: at(0.99), most: at(1) }
}

/** How far the arms of an experiment are apart, and the arms of two experiments. */
export function countedApart(series: ValuesSeries): { readonly within: Apart; readonly across: Apart } {
  return { within: apart(compareValuesSeries(series)), across: apart(compareAcross(series)) }
}

/** The share of comparisons with a claim, in one experiment and across two, if the second arm has this many times as much. */
export function countedClaims(
  series: ValuesSeries,
  metric: string,
  ratio: number,
): { readonly within: number; readonly across: number } {
  const changed = ratio === 1 ? series : withValueEffect(series, metric, ratio)
  const share = (all: readonly Comparison[]): number =>
    all.filter(({ verdict }) => verdict === 'improved' || verdict === 'worse').length / all.length
  return { within: share(compareValuesSeries(changed)), across: share(compareAcross(changed)) }
}
