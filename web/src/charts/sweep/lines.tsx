import { formatRatio } from '../../words/comparison.ts'
import type { SweepLine } from './cells.ts'
import { ratioAxis, type RatioAxis } from '@expresslane/shared/compare/ratio-axis'
import classes from './lines.module.css'

const WIDTH = 320
const HEIGHT = 190
const LEFT = 60
const RIGHT = 28
const TOP = 10
const BOTTOM = 30

interface Point {
  readonly x: number
  readonly y: number
  readonly label: string
  readonly interval: { readonly high: number; readonly low: number } | null
}

/** One axis for the lines of all sizes, so that they can be compared. */
export function sharedAxis(lines: readonly SweepLine[]): RatioAxis {
  return ratioAxis(lines.flatMap(({ cells }) => cells.flatMap(({ row }) => row ?? [])))
}

/** The line of one size: arms on the x axis, the ratio to the baseline with its interval on the y axis. */
export function ArmLine({ line, axis }: { line: SweepLine; axis: RatioAxis }) {
  const y = (ratio: number): number => TOP + ((100 - axis.place(ratio)) / 100) * (HEIGHT - TOP - BOTTOM)
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, line.cells.length - 1)
  const points = line.cells.flatMap(({ label, row, baseline }, index): Point[] => {
    const x = LEFT + index * step
    if (baseline) return [{ x, y: y(1), label, interval: null }]
    if (row === null) return []
    const interval = row.interval === null ? null : { high: y(row.interval.high), low: y(row.interval.low) }
    return [{ x, y: y(row.ratio), label, interval }]
  })
  const values = line.cells.map(({ label, row }) => `${label} ${row === null ? 'none' : formatRatio(row.ratio)}`)
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className={classes.line}
      role="img"
      aria-label={`${line.of.label}, ratio by arm: ${values.join(', ')}.`}
    >
      {axis.ticks.map((ratio) => (
        <g key={ratio}>
          <line
            x1={LEFT}
            x2={WIDTH - 4}
            y1={y(ratio)}
            y2={y(ratio)}
            stroke={ratio === 1 ? 'var(--line-strong)' : 'var(--line)'}
            strokeWidth={ratio === 1 ? 2 : 1}
          />
          <text x={LEFT - 8} y={y(ratio) + 5} textAnchor="end" className={classes.tick}>
            ×{ratio}
          </text>
        </g>
      ))}
      {line.cells.map(({ arm, label }, index) => (
        <text key={arm} x={LEFT + index * step} y={HEIGHT - 6} textAnchor="middle" className={classes.tick}>
          {label}
        </text>
      ))}
      <polyline
        points={points.map((one) => `${one.x},${one.y}`).join(' ')}
        fill="none"
        stroke="var(--arm-on)"
        strokeWidth={2.5}
      />
      {points.map(({ x, y: at, label, interval }) => (
        <g key={label}>
          {interval !== null && (
            <path
              d={`M${x - 5} ${interval.high}H${x + 5}M${x} ${interval.high}V${interval.low}M${x - 5} ${interval.low}H${x + 5}`}
              stroke="var(--ink)"
              strokeWidth={1.8}
              fill="none"
            />
          )}
          <circle cx={x} cy={at} r={4.5} fill="var(--arm-on)" stroke="var(--surface)" strokeWidth={1.5} />
        </g>
      ))}
    </svg>
  )
}
