import { isRequestResponse, median, type RequestResponseMeasurement } from '@expresslane/shared/measurement'
import { measurementsOf, type RunState } from '@expresslane/shared/run-state'
import {
  bitsPerSecond,
  familyName,
  formatBitRate,
  formatCount,
  formatLatency,
  formatTps,
  type TransactionsPerSecond,
} from '@expresslane/shared/units'
import { TpsChart } from '../charts/lazy.tsx'
import { formatPackets } from '../components/format.ts'
import { armLook } from '../theme.ts'
import classes from './measurement-view.module.css'
import tables from './tables.module.css'

/** A measurement as it is taken and when it is done: live TPS, the medians, and each repeat. */
export function MeasurementView({ run, reference }: { run: RunState; reference: number | null }) {
  const first = run.repeats[0]
  if (first === undefined) return null
  const look = armLook(first.arm)
  const now = latestTps(run)
  const taken = measurementsOf(run).filter(isRequestResponse)
  return (
    <section aria-labelledby="measured" className={classes.view} data-hue={look.hue}>
      <div className={classes.head}>
        <h3 id="measured" className={classes.title}>
          <span className={classes.swatch} aria-hidden />
          {look.name}, {familyName[first.family]}: transactions a second
        </h3>
        {now !== null && <p className={classes.now}>{formatTps(now)}</p>}
      </div>
      <TpsChart repeats={run.repeats} reference={reference} />
      <Figures taken={taken} planned={first.repeats} />
      {taken.length > 0 && <RepeatsTable taken={taken} />}
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

/** The latest live sample of a run that goes on; null when nothing is being measured. */
function latestTps(run: RunState): TransactionsPerSecond | null {
  return run.state === 'running' ? (run.repeats.at(-1)?.samples.at(-1)?.tps ?? null) : null
}

/** The numbers to be seen from the back row. */
function Figures({ taken, planned }: { taken: readonly RequestResponseMeasurement[]; planned: number }) {
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
  return (
    <div>
      <dl className={classes.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value ?? '–'}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>
        {taken.length === 0
          ? `Results come with each finished repeat, ${planned} in all.`
          : `Median of ${taken.length} of ${planned} repeats.`}
      </p>
    </div>
  )
}

const latencies = ['min', 'p50', 'p90', 'p99', 'max'] as const

function RepeatsTable({ taken }: { taken: readonly RequestResponseMeasurement[] }) {
  return (
    <div className={tables.scroll} role="region" aria-label="Each repeat" tabIndex={0}>
      <table className={tables.table}>
        <caption className="hidden">Every repeat</caption>
        <thead>
          <tr>
            <th scope="col">Repeat</th>
            {['TPS', ...latencies, 'Packets a request', 'Sent again'].map((name) => (
              <th key={name} scope="col" className={tables.number}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {taken.map(({ repeat, tps, latency, packets, retransmits }) => (
            <tr key={repeat}>
              <th scope="row">{repeat}</th>
              <td className={tables.number}>{formatCount(tps)}</td>
              {latencies.map((name) => (
                <td key={name} className={tables.number}>
                  {formatLatency(latency[name])}
                </td>
              ))}
              <td className={tables.number}>{formatPackets(packets?.perRequest ?? null)}</td>
              <td className={tables.number}>{retransmits ?? 'unknown'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
