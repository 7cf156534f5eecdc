import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { metricOf } from '@expresslane/shared/features/metrics'
import type { BenchmarkKind } from '@expresslane/shared/measure/benchmark'
import type { Measurement } from '@expresslane/shared/measure/measurement'
import { formatChange } from '@expresslane/shared/base/units'
import { memo } from 'react'
import { estimateOf } from './estimate.ts'

interface EstimateLineProps {
  before: readonly Measurement[]
  taken: readonly Measurement[]
  live: readonly number[]
  /** The benchmark kind of both. */
  kind: BenchmarkKind
  planned: number
}

function sameItems(was: readonly unknown[], is: readonly unknown[]): boolean {
  return was.length === is.length && was.every((item, index) => item === is[index])
}

/** Compares the second arm with the first during the measurement: an estimate, not a verdict. */
export const EstimateLine = memo(
  function EstimateLine({ before, taken, live, kind, planned }: EstimateLineProps) {
    const estimate = estimateOf(before, taken, live, kind.live)
    if (estimate === null) return null
    const { changePercent, interval, runs } = estimate
    const basis =
      runs === 0
        ? i18n.t('during the first repeat')
        : interval === null
          ? i18n.t('after {runs} of {planned} repeats', { runs, planned })
          : i18n.t('95 % interval {interval}, after {runs} of {planned} repeats', { interval, runs, planned })
    return (
      <p className="numbers">
        <Trans
          id="<0>{change}</0> {metric} compared with the previous measurement, {basis}"
          values={{ change: formatChange(changePercent), metric: metricOf(kind.live).noun, basis }}
          components={{ 0: <strong className="key-figure" /> }}
        />
      </p>
    )
  },
  // Samples arrive several times per second, but the bootstrap is slow and only changes when a run has ended.
  (was, is) =>
    was.planned === is.planned &&
    sameItems(was.before, is.before) &&
    sameItems(was.taken, is.taken) &&
    (is.taken.length > 0 || sameItems(was.live, is.live)),
)
