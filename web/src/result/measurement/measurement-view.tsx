import { isRequestResponse, median, type RequestResponseMeasurement } from '@expresslane/shared/measure/measurement'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import {
  bitsPerSecond,
  familyName,
  formatBitRate,
  formatLatency,
  formatTps,
  type TransactionsPerSecond,
} from '@expresslane/shared/measure/units'
import { timeChart } from '@expresslane/shared/report/time-chart'
import { DownloadChart } from '../../charts/download/download-chart.tsx'
import { TpsChart } from '../../charts/lazy.tsx'
import { formatPackets } from '../../words/format.ts'
import { armLook } from '../../theme.ts'
import { Figures } from './figures.tsx'
import classes from './measurement-view.module.css'
import { RepeatsTable } from './repeats-table.tsx'
import { StandingLine } from './standing-line.tsx'

interface MeasurementViewProps {
  run: RunState
  /** What the same walk measured under the other arm before: to hold this one against; empty for nothing. */
  before: readonly RequestResponseMeasurement[]
}

/** A request/response measurement as it is taken and when it is done: live TPS, the medians, and each repeat. */
export function MeasurementView({ run, before }: MeasurementViewProps) {
  const first = run.repeats[0]
  if (first === undefined) return null
  const look = armLook(first.arm)
  const now = latestTps(run)
  const taken = measurementsOf(run).filter(isRequestResponse)
  const shown = run.repeats.flatMap(({ measurement }) => measurement ?? [])
  const reference = median(before.map(({ tps }) => tps))
  return (
    <section aria-labelledby="measured" className={classes.view} data-hue={look.hue}>
      <div className={classes.head}>
        <h3 id="measured" className={classes.title}>
          <span className={classes.swatch} aria-hidden />
          {look.name}, {familyName[first.family]}: transactions a second
        </h3>
        {now !== null && <p className={classes.now}>{formatTps(now)}</p>}
      </div>
      <TpsChart repeats={run.repeats} reference={Number.isFinite(reference) ? reference : null} />
      {taken.length > 0 && (
        <DownloadChart
          name="over-time"
          draw={(palette) => timeChart(run.repeats, [], `${look.name}: transactions over time`, palette)}
        />
      )}
      {before.length > 0 && <StandingLine before={before} taken={taken} live={liveTps(run)} planned={first.repeats} />}
      <MeasuredFigures taken={taken} planned={first.repeats} />
      {shown.length > 0 && <RepeatsTable taken={shown} />}
    </section>
  )
}

function medianOf(
  taken: readonly RequestResponseMeasurement[],
  value: (one: RequestResponseMeasurement) => number | null,
): number | null {
  const known = taken.map(value).filter((one) => one !== null)
  return known.length === 0 ? null : median(known)
}

/** What the repeat that goes on has shown so far. */
function liveTps(run: RunState): TransactionsPerSecond[] {
  return run.repeats.at(-1)?.samples.map(({ tps }) => tps) ?? []
}

/** The latest live sample of a run that goes on; null when nothing is being measured. */
function latestTps(run: RunState): TransactionsPerSecond | null {
  return run.state === 'running' ? (liveTps(run).at(-1) ?? null) : null
}

function MeasuredFigures({ taken, planned }: { taken: readonly RequestResponseMeasurement[]; planned: number }) {
  const tps = medianOf(taken, (one) => one.tps)
  const rate = medianOf(taken, (one) => one.throughput)
  const p99 = medianOf(taken, (one) => one.latency.p99)
  const packets = medianOf(taken, (one) => one.packets?.perRequest ?? null)
  const figures = [
    ['Transactions', tps === null ? null : formatTps(tps)],
    ['Payload each way', rate === null ? null : formatBitRate(bitsPerSecond.parse(rate))],
    ['p99 latency', p99 === null ? null : formatLatency(p99)],
    ['Packets a request', packets === null ? (taken.length === 0 ? null : 'unknown') : formatPackets(packets)],
  ] as const
  const note =
    taken.length === 0
      ? `Results come with each finished repeat, ${planned} in all.`
      : `Median of ${taken.length} of ${planned} repeats.`
  return <Figures figures={figures} note={note} />
}
