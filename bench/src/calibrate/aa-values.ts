/** Comparisons of an arm with itself, kept with all values of every run, whatever the tool: one JSON line each. Pure. */
import { z } from 'zod'
import { compareArms } from '@expresslane/shared/compare/compare'
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { measurement, type Measurement } from '@expresslane/shared/measure/measurement'
import { metricValues } from '@expresslane/shared/measure/metrics'
import { aaHeader, type AaHeader } from './aa-series.ts'

/** Arm and values; the measured runs in the order taken. */
const run = z.tuple([z.string(), metricValues])
const line = z.strictObject({ at: z.number().int(), runs: z.array(run).min(2) })
export type ValuesLine = z.infer<typeof line>

export interface ValuesSeries {
  readonly header: AaHeader
  readonly lines: readonly ValuesLine[]
}

/** @param taken measurements of one experiment with one case, in the order taken; warm-ups are left out */
export function valuesLineOf(at: number, taken: readonly Measurement[]): ValuesLine {
  const measured = taken.filter(({ warmup }) => !warmup)
  return { at, runs: measured.map(({ arm, values }) => [arm, values]) }
}

/** @throws ZodError or SyntaxError for an invalid line; a half-written last line is left out */
export function parseValuesSeries(text: string): ValuesSeries {
  const [first = '', ...rest] = text.split('\n').slice(0, -1)
  return { header: aaHeader.parse(JSON.parse(first)), lines: rest.map((one) => line.parse(JSON.parse(one))) }
}

function measurementsOf({ plan }: AaHeader, { at, runs }: ValuesLine): Measurement[] {
  const [only] = plan.cases
  if (only === undefined) throw new Error('an A/A series has a case')
  const { family, benchmark } = only
  const { seconds: elapsedSeconds } = plan.design
  return runs.map(([arm, values], index) =>
    measurement.parse({ arm, family, benchmark, repeat: index + 1, startedAt: at, elapsedSeconds, values }),
  )
}

/**
 * Compares the first arm of one line with the second arm of another one, as the app would.
 *
 * @param later the line of the second arm: the same one for an experiment, another for two experiments of one arm each
 */
function compareLines(header: AaHeader, earlier: ValuesLine, later: ValuesLine): Comparison | null {
  const [off, on] = header.plan.arms
  if (off === undefined || on === undefined) throw new Error('an A/A series has two arms')
  const [first, second] = [earlier, later].map((one) => measurementsOf(header, one)) as [Measurement[], Measurement[]]
  return compareArms(
    first.filter(({ arm }) => arm === off.id),
    second.filter(({ arm }) => arm === on.id),
    {
      order: earlier === later && header.plan.design.order !== 'sequential' ? 'interleaved' : 'sequential',
      names: { off: off.label, on: on.label },
    },
  )
}

/** Each line's two arms, as an experiment would compare them. */
export function compareValuesSeries({ header, lines }: ValuesSeries): Comparison[] {
  return lines.flatMap((one) => compareLines(header, one, one) ?? [])
}

/** Each line's first arm with the second arm of every other line: two experiments, each on a machine of its own. */
export function compareAcross({ header, lines }: ValuesSeries): Comparison[] {
  return lines.flatMap((one) =>
    lines.flatMap((other) => (one === other ? [] : (compareLines(header, one, other) ?? []))),
  )
}

/** The series with these values of the second arm's runs multiplied: a known effect in the noise that was measured. */
export function withValueEffect({ header, lines }: ValuesSeries, metric: string, ratio: number): ValuesSeries {
  const second = header.plan.arms[1]?.id
  const scaled = ([arm, values]: ValuesLine['runs'][number]): ValuesLine['runs'][number] => {
    const value = values[metric]
    return [
      arm,
      arm !== second || value === null || value === undefined ? values : { ...values, [metric]: value * ratio },
    ]
  }
  return { header, lines: lines.map(({ at, runs }) => ({ at, runs: runs.map(scaled) })) }
}
