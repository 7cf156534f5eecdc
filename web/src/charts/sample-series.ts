/** Turns the samples of a tool into rows. Pure. */
import { formatFixed } from '@expresslane/shared/base/units'
import { kindOfRepeat } from '@expresslane/shared/charts/time-series'
import { formatMetric } from '@expresslane/shared/features/metrics'
import { formatClockTime, type Clock } from '@expresslane/shared/measure/clock'
import { maxOf } from '@expresslane/shared/measure/extremes'
import type { Sample } from '@expresslane/shared/measure/measurement'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import type { RepeatState } from '@expresslane/shared/run/run-state'

/** Repeats whose samples are shown as rows. */
export function sampledRepeats(repeats: readonly RepeatState[]): RepeatState[] {
  return repeats.filter((one) => one.samples.length > 0 && kindOfRepeat(one).sampled.length > 0)
}

/** `2.0–3.0 s`; the end in instructions, where the clock counts them. */
function sampleTime({ atSeconds, seconds }: Sample, clock: Clock): string {
  const end = formatClockTime(atSeconds, clock, 1)
  if (clock !== null) return end
  return seconds === null ? end : `${formatFixed(Math.max(0, atSeconds - seconds), 1)}–${end}`
}

export interface SampleRow {
  readonly time: string
  readonly cells: readonly string[]
  readonly omitted: boolean
}

/** The samples as the tool reports them, one cell per metric; a value that the tool does not report is a dash. */
export function sampleRows(samples: readonly Sample[], metrics: readonly MetricId[], clock: Clock): SampleRow[] {
  return samples.map((one) => ({
    time: sampleTime(one, clock),
    cells: metrics.map((metric) => {
      const value = one.values[metric] ?? null
      return value === null ? '–' : formatMetric(metric, value)
    }),
    omitted: one.omitted,
  }))
}

/** The highest value of any sample, in the metric's own unit. */
export function highestRate(repeats: readonly RepeatState[], metric: MetricId): number {
  return maxOf(
    repeats.flatMap(({ samples }) => samples.map(({ values }) => values[metric] ?? 0)),
    0,
  )
}
