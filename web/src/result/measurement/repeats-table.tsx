import { isRequestResponse, type Measurement, type StreamMeasurement } from '@expresslane/shared/measure/measurement'
import { formatMetric } from '@expresslane/shared/report/words'
import { formatBitRate, formatCount, formatLatency } from '@expresslane/shared/measure/units'
import type { ReactNode } from 'react'
import { formatPackets } from '../../words/format.ts'
import classes from './repeats-table.module.css'
import tables from '../../components/tables.module.css'

const latencies = ['min', 'p50', 'p90', 'p99', 'max'] as const
const requestResponseColumns = ['TPS', ...latencies, 'Packets a request', 'Sent again']
const streamColumns = ['Throughput', 'Payload a packet', 'CPU time a gigabit', 'Sent again']

/** Every run of one tool, those that were thrown away marked as such. */
export function RepeatsTable({ taken }: { taken: readonly Measurement[] }) {
  const columns = taken.some(isRequestResponse) ? requestResponseColumns : streamColumns
  return (
    <div className={tables.scroll} role="region" aria-label="Each repeat" tabIndex={0}>
      <table className={tables.table}>
        <caption className="hidden">Every repeat</caption>
        <thead>
          <tr>
            <th scope="col">Repeat</th>
            {columns.map((name) => (
              <th key={name} scope="col" className={tables.number}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {taken.map((one) => (
            <tr key={one.repeat} className={one.warmup ? classes.warmup : undefined}>
              <th scope="row">
                {one.repeat}
                {one.warmup && <span className={classes.mark}>warm-up, thrown away</span>}
              </th>
              {cellsOf(one).map((cell, index) => (
                <td key={columns[index]} className={tables.number}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function cellsOf(one: Measurement): ReactNode[] {
  if (!isRequestResponse(one)) return streamCells(one)
  const { tps, latency, packets, retransmits } = one
  return [
    formatCount(tps),
    ...latencies.map((name) => formatLatency(latency[name])),
    formatPackets(packets?.perRequest ?? null),
    retransmits ?? 'unknown',
  ]
}

function streamCells({
  throughput,
  bytesPerPacket,
  cpuSecondsPerGigabit,
  retransmits,
}: StreamMeasurement): ReactNode[] {
  return [
    formatBitRate(throughput),
    bytesPerPacket === null ? 'unknown' : formatMetric('bytesPerPacket', bytesPerPacket),
    cpuSecondsPerGigabit === null ? 'unknown' : formatMetric('cpuSecondsPerGigabit', cpuSecondsPerGigabit),
    retransmits ?? 'unknown',
  ]
}
