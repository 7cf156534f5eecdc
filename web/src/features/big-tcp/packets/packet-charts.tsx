import { LARGEST_LEGACY } from '@expresslane/shared/charts/packets-chart'
import { messagePackets, type Capture } from '@expresslane/shared/measure/capture'
import classes from './packets-view.module.css'
import { directions, lengthBins, payloadSum, pieces, widestMessage, type Direction } from './packet-series.ts'

interface PacketChartProps {
  capture: Capture
  /** All captures on the page, including this capture: they share their axes. */
  captures: readonly Capture[]
}

const directionName: Record<Direction, string> = { request: 'Request', response: 'Response' }

/** Each message as the packets that carried it. */
export function MessagePieces({ capture, captures }: PacketChartProps) {
  const widest = widestMessage(captures)
  return (
    <div className="stack">
      {directions.map((direction) => {
        const count = messagePackets(capture, direction).length
        return (
          <figure key={direction}>
            <figcaption className="medium muted">
              {directionName[direction]}: {count} {count === 1 ? 'packet' : 'packets'}
            </figcaption>
            <p className="key-figure">{payloadSum(capture, direction) || 'not seen'}</p>
            <svg className={classes.bar} aria-hidden>
              {pieces(capture, direction, widest).map(({ from, width }) => (
                <rect
                  key={from}
                  x={`${from}%`}
                  width={`${width}%`}
                  y={1}
                  height={26}
                  rx={4}
                  className={classes.piece}
                />
              ))}
            </svg>
          </figure>
        )
      })}
    </div>
  )
}

/** The number of packets by length, including headers. */
export function LengthHistogram({ capture, captures }: PacketChartProps) {
  const rows = lengthBins(capture, captures)
  const beyond = capture.packets.filter(({ length }) => length > LARGEST_LEGACY).length
  return (
    <figure>
      <figcaption className="medium muted">Lengths in bytes, {beyond === 0 ? 'none' : beyond} above 64K</figcaption>
      <table className={classes.histogram}>
        <thead className="hidden">
          <tr>
            <th scope="col">Length</th>
            <th scope="col">Relative to the most frequent</th>
            <th scope="col">Packets</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, count, width, beyond: large }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className={classes.count}>
                <span className="hidden">{Math.round(width)} %</span>
                <svg className="block" width="100%" height="18" aria-hidden>
                  <rect width={`${width}%`} height={18} rx={3} className={large ? classes.data : classes.small} />
                </svg>
              </td>
              <td className="right strong">{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
