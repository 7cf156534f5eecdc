import { formatInstructionCount, type Clock } from '@expresslane/shared/measure/clock'
import { messagePackets, type Capture } from '@expresslane/shared/measure/capture'
import { formatCount } from '@expresslane/shared/measure/units'
import classes from './packet-charts.module.css'
import {
  directions,
  lengthBins,
  LARGEST_LEGACY,
  payloadSum,
  pieces,
  stems,
  timeAxis,
  widestMessage,
  type Direction,
} from './packet-series.ts'

interface PacketChartProps {
  capture: Capture
  /** All captures on the page, including this one: they share their axes. */
  captures: readonly Capture[]
}

const directionName: Record<Direction, string> = { request: 'Request', response: 'Response' }

/** Each message as the packets that carried it. */
export function MessagePieces({ capture, captures }: PacketChartProps) {
  const widest = widestMessage(captures)
  return (
    <div className={classes.pieces}>
      {directions.map((direction) => {
        const count = messagePackets(capture, direction).length
        return (
          <figure key={direction} className={classes.message}>
            <figcaption>
              {directionName[direction]}: {count} {count === 1 ? 'packet' : 'packets'}
            </figcaption>
            <p className={classes.sum}>{payloadSum(capture, direction) || 'not seen'}</p>
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

const LANE = 74
const LANES_TOP = 8
const BASE: Record<Direction, number> = { request: LANES_TOP + LANE, response: LANES_TOP + LANE + 28 + LANE }
const TIMELINE_HEIGHT = BASE.response + 34

interface TimelineProps extends PacketChartProps {
  clock: Clock
  /** The index of the packet whose headers are shown; null for none of this capture. */
  chosen: number | null
  onChoose: (index: number) => void
}

/** Packets over time, requests above responses. The height of a mark is the length of the packet. */
export function PacketTimeline({ capture, captures, clock, chosen, onChoose }: TimelineProps) {
  const ticks = timeAxis(captures)
  const end = ticks.at(-1) ?? 1
  const shown = ticks.length > 4 ? ticks.filter((_, index) => index % 2 === 0) : ticks
  const sums = directions.map((direction) => `${direction} ${payloadSum(capture, direction)} bytes`)
  return (
    <figure>
      <figcaption className={classes.title}>
        Packets {clock === null ? 'over time in µs' : 'by instructions since the first'}, by length
      </figcaption>
      <div className={classes.timeline}>
        <svg
          width="100%"
          height={TIMELINE_HEIGHT}
          role="img"
          aria-label={`Packets ${clock === null ? 'over time' : 'by instructions'}: ${sums.join(', ')}.`}
          className={classes.overflow}
        >
          {directions.map((direction) => (
            <g key={direction}>
              <line x1="0" x2="100%" y1={BASE[direction]} y2={BASE[direction]} className={classes.axis} />
              <text x="100%" y={BASE[direction] - LANE + 14} textAnchor="end" className={classes.label}>
                {directionName[direction]}
              </text>
            </g>
          ))}
          {stems(capture, captures).map(({ index, direction, x, height, bare }) => {
            const tall = Math.max(bare ? 7 : 10, height * (LANE - 6))
            return (
              <rect
                key={index}
                x={`${x}%`}
                y={BASE[direction] - tall}
                width={bare ? 3 : 9}
                height={tall}
                rx={1.5}
                className={bare ? classes.bare : classes.data}
                data-chosen={index === chosen}
                onClick={() => onChoose(index)}
              />
            )
          })}
          {shown.map((at) => (
            <text
              key={at}
              x={`${(at / end) * 100}%`}
              y={TIMELINE_HEIGHT - 8}
              textAnchor={at === 0 ? 'start' : at === end ? 'end' : 'middle'}
              className={classes.label}
            >
              {clock === null ? formatCount(at) : formatInstructionCount(at * clock)}
            </text>
          ))}
        </svg>
      </div>
    </figure>
  )
}

/** The number of packets by length, including headers. */
export function LengthHistogram({ capture, captures }: PacketChartProps) {
  const rows = lengthBins(capture, captures)
  const beyond = capture.packets.filter(({ length }) => length > LARGEST_LEGACY).length
  return (
    <figure>
      <figcaption className={classes.title}>Lengths in bytes, {beyond === 0 ? 'none' : beyond} above 64K</figcaption>
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
              <td className={classes.barCell}>
                <span className="hidden">{Math.round(width)} %</span>
                <svg className={classes.count} aria-hidden>
                  <rect width={`${width}%`} height={18} rx={3} className={large ? classes.data : classes.small} />
                </svg>
              </td>
              <td className={classes.number}>{count}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
