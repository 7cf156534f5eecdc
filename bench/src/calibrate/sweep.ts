/** Simulated sweeps with a known truth: five limits by seven sizes, like the lab "How big is big enough?". Seeded, pure. */
import { compareTogether } from '@expresslane/shared/compare/cases'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { normal, seeded, type Random } from '@expresslane/shared/compare/stats/random'
import { measurement, type Measurement } from '@expresslane/shared/measure/measurement'

const ARMS = 5
const CASES = 7
/** A larger limit can only help requests that do not fit into 64 KiB. */
const LARGE_CASES = 3

export interface SweepTruth {
  /** Measured runs of each cell. */
  readonly repeats: number
  /** The gain of every larger limit for the three largest sizes: 0.1 is +10 %. */
  readonly gain: number
  /** Standard deviation of the logarithm of TPS from run to run. */
  readonly spread: number
  /** The first arm's spread, as a multiple of the other arms'. */
  readonly firstSpread: number
  /** The change of TPS from the first run to the last: -0.1 is a loss of a tenth. */
  readonly drift: number
  /** The share of runs with a disturbance, which makes them 10 to 15 % slower. */
  readonly outliers: number
}

/** Each case's values by arm, the first arm first, each arm's in the order taken. */
export type SweepValues = readonly (readonly (readonly number[])[])[]

const benchmark = { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 } as const
const template = measurement.parse({
  arm: 'off',
  family: 'ipv4',
  repeat: 1,
  startedAt: 0,
  elapsedSeconds: 1,
  benchmark,
  values: { tps: 1 },
})

/** The limits take turns forwards and backwards, and each visit measures every size. */
function placeOf(round: number, arm: number, of: number): number {
  return (round * ARMS + (round % 2 === 0 ? arm : ARMS - 1 - arm)) * CASES + of
}

function cells<T>(repeats: number, make: (of: number, arm: number, round: number) => T): T[][][] {
  const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index)
  return range(CASES).map((of) => range(ARMS).map((arm) => range(repeats).map((round) => make(of, arm, round))))
}

/** Whether a cell really differs from the first arm, if anything does. */
function differs(of: number, arm: number): boolean {
  return arm > 0 && of >= CASES - LARGE_CASES
}

export function simulateSweep(truth: SweepTruth, random: Random): SweepValues {
  const last = truth.repeats * ARMS * CASES - 1
  return cells(truth.repeats, (of, arm, round) => {
    const noise = Math.exp(truth.spread * (arm === 0 ? truth.firstSpread : 1) * normal(random))
    const disturbed = random() < truth.outliers ? 0.9 - 0.05 * random() : 1
    const drifted = (1 + truth.drift) ** (placeOf(round, arm, of) / last)
    return 12_000 * noise * disturbed * drifted * (differs(of, arm) ? 1 + truth.gain : 1)
  })
}

/** A sweep out of a series that was really measured, its bursts included: consecutive runs from a random place. */
export function sweepFrom(series: readonly number[], repeats: number, random: Random): SweepValues {
  const from = Math.floor(random() * (series.length - repeats * ARMS * CASES))
  return cells(repeats, (of, arm, round) => series[from + placeOf(round, arm, of)] ?? Number.NaN)
}

/** Compares a sweep's cells as an experiment does. */
function compareSweep(values: SweepValues): CaseComparison[] {
  const armOf = (of: number, arm: number, taken: readonly number[]) => ({
    id: `${arm}`,
    name: `limit ${arm}`,
    taken: taken.map((tps, round): Measurement => ({
      ...template,
      arm: `${arm}`,
      repeat: placeOf(round, arm, of) + 1,
      values: { tps },
    })),
  })
  const cases = values.flatMap((arms, of) => {
    const [first, ...others] = arms.map((taken, arm) => armOf(of, arm, taken))
    return first === undefined ? [] : [{ caseId: `${of}`, subject: null, main: 'tps', first, others }]
  })
  return compareTogether(cases, 'interleaved', 'main')
}

/** By case, whether each arm but the first is claimed to differ. */
export type Claims = readonly (readonly boolean[])[]

/** The claims that the product makes. */
export function claimsOf(values: SweepValues): Claims {
  const compared = compareSweep(values)
  return values.map((arms, of) =>
    arms.slice(1).map((_, index) => {
      const found = compared.find(({ caseId, arm }) => caseId === `${of}` && arm === `${index + 1}`)
      return found?.comparison.verdict === 'improved' || found?.comparison.verdict === 'worse'
    }),
  )
}

interface SweepJudged {
  /** The share of sweeps with at least one claim about a cell that does not differ. */
  readonly falseSweeps: number
  /** The share of the cells that differ of which a difference is claimed; NaN if none differs. */
  readonly found: number
}

/** @param draw makes one sweep @param judge decides about it @param anyDiffers whether the cells of large sizes differ */
export function judgeSweeps(
  count: number,
  seed: number,
  draw: (random: Random) => SweepValues,
  judge: (values: SweepValues) => Claims,
  anyDiffers: boolean,
): SweepJudged {
  const random = seeded(seed)
  let [falseSweeps, found, different] = [0, 0, 0]
  for (let index = 0; index < count; index += 1) {
    const claims = judge(draw(random)).flatMap((arms, of) =>
      arms.map((claimed, arm) => ({ claimed, real: anyDiffers && differs(of, arm + 1) })),
    )
    if (claims.some(({ claimed, real }) => claimed && !real)) falseSweeps += 1
    different += claims.filter(({ real }) => real).length
    found += claims.filter(({ claimed, real }) => claimed && real).length
  }
  return { falseSweeps: falseSweeps / count, found: found / different }
}
