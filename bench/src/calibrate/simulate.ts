/** Experiments with a known truth, to check the comparison: seeded, and pure. */
import { compareArms } from '@expresslane/shared/compare/compare'
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { experimentPlan, visitsOf, type Order } from '@expresslane/shared/measure/experiment'
import { measurement, type Measurement } from '@expresslane/shared/measure/measurement'
import { normal, seeded, type Random } from '@expresslane/shared/compare/stats/random'

export interface Truth {
  readonly order: Order
  /** Measured runs of each arm. */
  readonly repeats: number
  /** `on / off`. */
  readonly ratio: number
  /** Standard deviation of the logarithm of TPS from run to run. */
  readonly spread: number
  /** The change of TPS from the first run to the last, in both arms: -0.1 is a loss of a tenth. */
  readonly drift: number
  /** The share of runs with a disturbance, which makes them 10 to 15 % slower. */
  readonly outliers: number
}

const TPS = 12_000

const benchmark = { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 } as const

const template = measurement.parse({
  arm: 'off',
  family: 'ipv4',
  repeat: 1,
  startedAt: 0,
  elapsedSeconds: 1,
  benchmark,
  values: { tps: TPS },
})

/** The arms of an experiment's runs, in the order in which they are taken. */
function armsInOrder(order: Order, repeats: number): string[] {
  const plan = experimentPlan.parse({
    arms: ['off', 'on'].map((id) => ({ id, label: id, settings: { 'big-tcp-ipv4': id === 'on' } })),
    cases: [{ id: 'rr', label: 'rr', family: 'ipv4', benchmark }],
    design: { order, repeats, seconds: 1, warmups: 0, budget: null },
  })
  return visitsOf(plan, order, repeats).flatMap(({ arm, rounds }) => Array.from({ length: rounds }, () => arm.id))
}

function simulate(truth: Truth, arms: readonly string[], random: Random): Measurement[] {
  return arms.map((arm, index) => {
    const noise = Math.exp(truth.spread * normal(random))
    const disturbed = random() < truth.outliers ? 0.9 - 0.05 * random() : 1
    const drifted = (1 + truth.drift) ** (index / (arms.length - 1))
    const tps = TPS * noise * disturbed * drifted * (arm === 'on' ? truth.ratio : 1)
    return { ...template, arm, repeat: index + 1, values: { tps } }
  })
}

/** The outcomes of many experiments with the same truth, as shares from 0 to 1. */
export interface Judged {
  /** Intervals that contain the true ratio. */
  readonly covered: number
  readonly improved: number
  readonly worse: number
  /** Drifts that were reported in either arm. */
  readonly drifted: number
}

/** Simulates `count` experiments, and compares the arms of each by TPS. */
export function judgeTruth(truth: Truth, count: number, seed: number): Judged {
  const random = seeded(seed)
  const arms = armsInOrder(truth.order, truth.repeats)
  const comparisons = Array.from({ length: count }, (): Comparison | null => {
    const taken = simulate(truth, arms, random)
    const of = (arm: string): Measurement[] => taken.filter((one) => one.arm === arm)
    return compareArms(of('off'), of('on'), { order: truth.order, only: ['tps'] })
  })
  const share = (holds: (one: Comparison) => boolean): number =>
    comparisons.filter((one) => one !== null && holds(one)).length / count
  return {
    covered: share(({ rows: [row] }) => {
      const interval = row?.interval ?? null
      return interval !== null && interval.low <= truth.ratio && truth.ratio <= interval.high
    }),
    improved: share(({ verdict }) => verdict === 'improved'),
    worse: share(({ verdict }) => verdict === 'worse'),
    drifted: share(({ off, on }) => off.drift !== null || on.drift !== null),
  }
}
