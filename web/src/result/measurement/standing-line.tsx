import { metricOf } from '@expresslane/shared/features/metrics'
import type { BenchmarkKind } from '@expresslane/shared/measure/benchmark'
import type { Measurement } from '@expresslane/shared/measure/measurement'
import { formatChange } from '@expresslane/shared/measure/units'
import { memo } from 'react'
import classes from './measurement-view.module.css'
import { standingOf } from './standing.ts'

interface StandingLineProps {
  before: readonly Measurement[]
  taken: readonly Measurement[]
  live: readonly number[]
  /** What both are measured with. */
  kind: BenchmarkKind
  planned: number
}

function sameItems(was: readonly unknown[], is: readonly unknown[]): boolean {
  return was.length === is.length && was.every((item, index) => item === is[index])
}

/** The second arm against the first while it is measured: an estimate, and no verdict yet. */
export const StandingLine = memo(
  function StandingLine({ before, taken, live, kind, planned }: StandingLineProps) {
    const standing = standingOf(before, taken, live, kind.live)
    if (standing === null) return null
    const { changePercent, interval, runs } = standing
    const rests = runs === 0 ? 'in its first run, so far' : `after ${runs} of ${planned} runs`
    return (
      <p className={classes.standing}>
        <strong>{formatChange(changePercent)}</strong> {metricOf(kind.live).noun} against the measurement before
        {interval !== null && `, 95 % interval ${interval}`}, {rests}
      </p>
    )
  },
  // Samples come several times a second, and a bootstrap is worth its time only when a run has ended.
  (was, is) =>
    was.planned === is.planned &&
    sameItems(was.before, is.before) &&
    sameItems(was.taken, is.taken) &&
    (is.taken.length > 0 || sameItems(was.live, is.live)),
)
