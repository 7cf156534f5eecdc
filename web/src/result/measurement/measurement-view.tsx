import { i18n } from '@expresslane/shared/base/language'
import { formatMetric, formatNamed, metricOf } from '@expresslane/shared/features/metrics'
import type { BenchmarkKind } from '@expresslane/shared/measure/benchmark'
import { medianOf, valuesOf, type Measurement } from '@expresslane/shared/measure/measurement'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { armLabel } from '@expresslane/shared/run/sides'
import { isOpen, measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import { familyName } from '@expresslane/shared/base/units'
import { timeChart } from '@expresslane/shared/charts/time-chart'
import { DownloadChart } from '../../charts/download/download-chart.tsx'
import { LiveChart } from '../../charts/lazy.tsx'
import { kindOfRepeat } from '@expresslane/shared/charts/time-series'
import { CpusLine } from '../../components/run/cpus-line.tsx'
import { lookAmong } from '../../theme.ts'
import { Figures } from './figures.tsx'
import classes from './measurement-view.module.css'
import { RepeatsTable } from './repeats-table.tsx'
import { ArmHeading } from './headings.tsx'
import { EstimateLine } from './estimate-line.tsx'

interface MeasurementViewProps {
  run: RunState
  /** The lab's arms. */
  arms: readonly ArmPlan[]
  /** Measurements of the other arm in the same session, for comparison; empty for none. */
  before: readonly Measurement[]
}

/** A running or ended measurement: its live metric, the medians, and each repeat. */
export function MeasurementView({ run, arms, before }: MeasurementViewProps) {
  const first = run.repeats[0]
  if (first === undefined) return null
  const name = armLabel(run, first.arm, arms)
  const kind = kindOfRepeat(first)
  const now = latestOf(run, kind)
  const taken = measurementsOf(run)
  // A result of the headless command has no samples.
  const charted = isOpen(run) || run.repeats.some(({ samples }) => samples.length > 0)
  const shown = run.repeats.flatMap(({ measurement }) => measurement ?? [])
  return (
    <section aria-labelledby="measured" className="stack wide container" data-hue={lookAmong(arms, first.arm).hue}>
      <div className={`${classes.head} row between baseline`}>
        <ArmHeading level="h3" id="measured">
          {name}, {familyName[first.family]}: {kind.caption}
        </ArmHeading>
        {now !== null && <p className={`${classes.now} key-figure no-wrap`}>{formatMetric(kind.live, now)}</p>}
      </div>
      {charted && <LiveChart repeats={run.repeats} kind={kind} reference={medianOf(before, kind.live)} />}
      {charted && taken.length > 0 && (
        <DownloadChart
          name="over-time"
          draw={(frame) =>
            timeChart(
              run.repeats,
              { title: i18n.t('{name}: {caption} over time', { name, caption: kind.caption }), arms },
              frame,
            )
          }
        />
      )}
      {before.length > 0 && (
        <EstimateLine before={before} taken={taken} live={liveOf(run, kind)} kind={kind} planned={first.repeats} />
      )}
      <MeasuredFigures kind={kind} taken={taken} planned={first.repeats} />
      <CpusLine run={run} />
      {shown.length > 0 && <RepeatsTable kind={kind} taken={shown} />}
    </section>
  )
}

/** The samples of the current repeat. */
function liveOf(run: RunState, { live }: BenchmarkKind): number[] {
  return valuesOf(run.repeats.at(-1)?.samples ?? [], live)
}

/** The latest live sample of a running measurement; null when nothing is being measured. */
function latestOf(run: RunState, kind: BenchmarkKind): number | null {
  return run.state === 'running' ? (liveOf(run, kind).at(-1) ?? null) : null
}

interface MeasuredFiguresProps {
  kind: BenchmarkKind
  taken: readonly Measurement[]
  planned: number
}

function MeasuredFigures({ kind, taken, planned }: MeasuredFiguresProps) {
  const figures = kind.figures.map((metric) => {
    const value = taken.length === 0 ? null : formatNamed(metric, medianOf(taken, metric))
    return [metricOf(metric).name, value] as const
  })
  const note =
    taken.length === 0
      ? i18n.t('Results appear after each of the {planned} repeats.', { planned })
      : i18n.t('Median of {taken} of {planned} repeats.', { taken: taken.length, planned })
  return <Figures figures={figures} note={note} />
}
