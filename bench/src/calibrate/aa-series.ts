/** Comparisons of an arm with itself, saved to check the statistics: one JSON line each. Pure. */
import { z } from 'zod'
import { compareArms } from '@expresslane/shared/compare/compare'
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { tcpRrBenchmark } from '@expresslane/shared/tools/netperf/tcp-rr'
import { experimentPlan, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { measurement, median, valueOf, type Measurement } from '@expresslane/shared/measure/measurement'
import type { Random } from '@expresslane/shared/compare/stats/random'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import { standardDeviation } from './spread.ts'
import { bytes, payloadRate, transactionsPerSecond } from '@expresslane/shared/base/units'

/** The first line: the plan and the environment. */
export const aaHeader = z.strictObject({
  plan: experimentPlan,
  kernel: z.string(),
  cpu: z.strictObject({ model: z.string(), count: z.number().int().positive() }),
  versions: z.record(z.string(), z.string()),
})
export type AaHeader = z.infer<typeof aaHeader>

const positive = z.number().nonnegative()
/** arm, warm-up (1) or not (0), TPS, then min, mean, p50, p90 and p99 latency in µs; the runs in the order taken. */
const aaRun = z.tuple([z.string(), z.literal([0, 1]), positive, positive, positive, positive, positive, positive])
/** Every other line: one comparison's runs. */
export const aaLine = z.strictObject({ at: z.number().int(), runs: z.array(aaRun).min(2) })
export type AaLine = z.infer<typeof aaLine>

export interface AaSeries {
  readonly header: AaHeader
  readonly lines: readonly AaLine[]
}

/** @throws ZodError or SyntaxError for an invalid line; a half-written last line is left out */
export function parseAaSeries(text: string): AaSeries {
  const [first = '', ...rest] = text.split('\n')
  const header = aaHeader.parse(JSON.parse(first))
  const whole = rest.slice(0, -1)
  return { header, lines: whole.map((line) => aaLine.parse(JSON.parse(line))) }
}

/** @param taken measurements of one experiment with one case, with warm-ups, in the order taken */
export function aaLineOf(at: number, taken: readonly Measurement[]): AaLine {
  return {
    at,
    runs: taken.map((one) => {
      const known = (metric: MetricId): number => {
        const value = valueOf(one, metric)
        if (value === null) throw new Error(`run ${one.repeat} has no ${metric}`)
        return value
      }
      const [tps, min, mean] = [known('tps'), known('min'), known('mean')]
      return [one.arm, one.warmup ? 1 : 0, tps, min, mean, known('p50'), known('p90'), known('p99')]
    }),
  }
}

/** An arm's measurements from one line, as far as they were stored. */
function aaMeasurements(line: AaLine, arm: string, { cases }: ExperimentPlan): Measurement[] {
  const [only] = cases
  if (only === undefined) throw new Error('an A/A series has one case')
  const { requestBytes } = tcpRrBenchmark.parse(only.benchmark)
  return line.runs.flatMap(([of, warmup, tps, min, mean, p50, p90, p99], index) =>
    of !== arm
      ? []
      : measurement.parse({
          arm,
          caseId: only.id,
          family: only.family,
          repeat: index + 1,
          warmup: warmup === 1,
          startedAt: line.at,
          elapsedSeconds: 1,
          benchmark: only.benchmark,
          values: {
            tps,
            throughput: payloadRate(transactionsPerSecond.parse(tps), bytes.parse(requestBytes)),
            min,
            mean,
            p50,
            p90,
            p99,
            packetsPerRequest: null,
          },
        }),
  )
}

/** Compares each line's two arms as an experiment would. */
export function compareAaSeries({ header: { plan }, lines }: AaSeries): Comparison[] {
  const [off, on] = plan.arms
  if (off === undefined || on === undefined) throw new Error('an A/A series has two arms')
  return lines.flatMap((line) => {
    const [before, after] = [off, on].map(({ id }) => aaMeasurements(line, id, plan)) as [Measurement[], Measurement[]]
    const order = plan.design.order === 'sequential' ? 'sequential' : 'interleaved'
    return compareArms(before, after, { order, names: { off: off.label, on: on.label } }) ?? []
  })
}

export interface AaJudged {
  readonly metric: MetricId
  readonly comparisons: number
  readonly improved: number
  readonly worse: number
  /** The number of intervals that contain the true ratio 1. */
  readonly covered: number
}

/** How often a difference was claimed, by metric. Every claim is wrong here. */
export function judgeAaSeries(comparisons: readonly Comparison[]): AaJudged[] {
  const rows = comparisons.flatMap((one) => one.rows)
  return [...Map.groupBy(rows, ({ metric }) => metric)].map(([metric, of]) => ({
    metric,
    comparisons: of.length,
    improved: of.filter(({ verdict }) => verdict === 'improved').length,
    worse: of.filter(({ verdict }) => verdict === 'worse').length,
    covered: of.filter(({ interval }) => interval !== null && interval.low <= 1 && interval.high >= 1).length,
  }))
}

/**
 * The standard deviation of the logarithm of TPS between the runs of an arm: the median over all arms of the series.
 */
export function spreadOf(comparisons: readonly Comparison[]): number {
  const deviation = (values: readonly number[]): number => standardDeviation(values.map(Math.log))
  return median(
    comparisons.flatMap(({ rows: [main] }) =>
      main === undefined ? [] : [deviation(main.offValues), deviation(main.onValues)],
    ),
  )
}

/** The series with every run of the second arm faster by this ratio: a known effect in the noise that was measured. */
export function withEffect({ header, lines }: AaSeries, ratio: number): AaSeries {
  const second = header.plan.arms[1]?.id
  return {
    header,
    lines: lines.map(({ at, runs }) => ({
      at,
      runs: runs.map(([arm, warmup, tps, ...rest]): AaLine['runs'][number] => [
        arm,
        warmup,
        arm === second ? tps * ratio : tps,
        ...rest,
      ]),
    })),
  }
}

/**
 * More comparisons from the same runs: in each pair of neighbours that the interleaved order measured, the two arms keep
 * their names or swap them, by chance. Equal arms allow that, and the noise stays where it was.
 */
export function relabelled({ header, lines }: AaSeries, count: number, random: Random): AaSeries {
  const drawn = Array.from({ length: count }, (_, index): AaLine => {
    const line = lines[index % lines.length]
    if (line === undefined) throw new Error('an empty series')
    const measured = line.runs.filter(([, warmup]) => warmup === 0)
    const swaps = measured.map(() => random() < 0.5)
    return {
      at: line.at,
      runs: measured.map(([arm, ...rest], place): AaLine['runs'][number] => {
        const partner = measured[place % 2 === 0 ? place + 1 : place - 1]
        const swapped = swaps[place - (place % 2)] === true && partner !== undefined
        return [swapped ? partner[0] : arm, ...rest]
      }),
    }
  })
  return { header, lines: drawn }
}
