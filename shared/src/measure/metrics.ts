/** A metric: its names, format, better direction and source. */
import { z } from 'zod'
import type { Clock } from './clock.ts'

/** `tps`, `p99`, `packetsPerRequest`. */
export const metricId = z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/)
export type MetricId = z.infer<typeof metricId>

/** Values by metric, each in the metric's own unit. Null is unknown; a metric that the tool does not measure is absent. */
export const metricValues = z.record(metricId, z.number().nonnegative().nullable())
export type MetricValues = Readonly<z.infer<typeof metricValues>>

/** The direction of an improvement; `neither` for a metric that only explains a result. */
export const better = z.enum(['more', 'less', 'neither'])
export type Better = z.infer<typeof better>

export interface Metric {
  readonly id: MetricId
  /** As the heading of a row: `Latency, p99`. */
  readonly name: string
  /** As the heading of a column, or next to a bar: `p99`. */
  readonly short: string
  /** Within a sentence: `the p99 latency`. */
  readonly noun: string
  /** The unit of its stored values: `µs`, `bit/s`. */
  readonly unit: string
  readonly better: Better
  /** Names for a larger and a smaller value. */
  readonly words: { readonly more: string; readonly less: string }
  /**
   * Its form where the machine's clock counts instructions. `same` if its values do not depend on time; `absent` for time that
   * passes outside of that machine, and so is not counted.
   */
  readonly counted: CountedForm | 'same' | 'absent'
  /** With its unit: `88 µs`. */
  readonly format: (value: number) => string
  /** As the heading of a column of its {@link cell}s. @defaultValue {@link short} */
  readonly head?: string
  /** In a table, below its heading. @defaultValue {@link format} */
  readonly cell?: (value: number) => string
  /** Without a heading, so that it names itself: `p99 88 µs`, `2.00 packets per request`. */
  readonly say: (value: number) => string
  /** Its axis in a chart: the title, the unit of the ticks, and the divisor from the metric's unit to it. */
  readonly axis: { readonly title: string; readonly unit: string; readonly divisor: number }
  /**
   * The tool's resolution at a value: smaller differences do not count. Null if it is finer than any noise.
   *
   * @param clock of the machine that was measured
   */
  readonly step: (value: number, clock: Clock) => number | null
  /** Its column in the CSV report; null for a metric that only live samples have. */
  readonly column: string | null
  /** Where the values come from, for people. */
  readonly source: string
}

/** The form of a metric whose values depend on time, where instructions are counted. */
export interface CountedForm {
  /** The number of counted units in a unit of the metric, with so many instructions a microsecond. */
  readonly factor: (instructionsPerMicrosecond: number) => number
  readonly shown: Pick<Metric, 'name' | 'short' | 'noun' | 'unit' | 'words' | 'format' | 'say' | 'axis' | 'column'> &
    Partial<Pick<Metric, 'cell' | 'head'>>
}
