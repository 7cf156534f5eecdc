/** Figures that others published, to show beside your own. No computation uses them. */
import type { Settings } from '../base/settings.ts'
import type { Family } from '../base/units.ts'
import type { MetricId } from '../measure/metrics.ts'

/** Two arms that you measured with the same tool. */
export interface MeasuredPair {
  readonly off: Settings
  readonly on: Settings
  readonly family: Family
  readonly tool: string
  readonly metric: MetricId
  /** Whether the experiment compared the two arms; if not, it compared each with a third arm. */
  readonly isCompared: boolean
}

/** The same change, as others measured it. */
export interface PublishedFigure {
  readonly source: string
  /** Null if no stable address is known. */
  readonly link: string | null
  /** The machine and the benchmark, as far as published. */
  readonly setup: string
  /** Null if not published. */
  readonly family: Family | null
  /** The runs that each figure is the mean of; null if not published. */
  readonly runs: { readonly off: number; readonly on: number } | null
  /** In the metric's unit; null if only the ratio was published. */
  readonly off: number | null
  readonly on: number | null
  /** `on / off`, as published or computed from both. */
  readonly ratio: number
  /** A side that was offered no more than it could do might have done more. */
  readonly bound: 'at least' | 'at most' | null
}

/** A feature's part. */
export interface Published {
  /** Sentences on published figures of this tool, whichever arms were measured. */
  notes(tool: string): readonly string[]
  figures(pair: MeasuredPair): readonly PublishedFigure[]
}
