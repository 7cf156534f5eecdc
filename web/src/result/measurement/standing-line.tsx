import type { RequestResponseMeasurement } from '@expresslane/shared/measure/measurement'
import type { TransactionsPerSecond } from '@expresslane/shared/measure/units'
import { formatChange } from '@expresslane/shared/measure/units'
import { memo } from 'react'
import classes from './measurement-view.module.css'
import { standingOf } from './standing.ts'

interface StandingLineProps {
  before: readonly RequestResponseMeasurement[]
  taken: readonly RequestResponseMeasurement[]
  live: readonly TransactionsPerSecond[]
  planned: number
}

function sameItems(was: readonly unknown[], is: readonly unknown[]): boolean {
  return was.length === is.length && was.every((item, index) => item === is[index])
}

/** The second arm against the first while it is measured: an estimate, and no verdict yet. */
export const StandingLine = memo(
  function StandingLine({ before, taken, live, planned }: StandingLineProps) {
    const standing = standingOf(before, taken, live)
    if (standing === null) return null
    const { changePercent, interval, runs } = standing
    const rests = runs === 0 ? 'in its first run, so far' : `after ${runs} of ${planned} runs`
    return (
      <p className={classes.standing}>
        <strong>{formatChange(changePercent)}</strong> TPS against the measurement before
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
