import type { Comparison } from '@expresslane/shared/compare'
import type { Arm } from '@expresslane/shared/measurement'
import { formatCount } from '@expresslane/shared/units'
import { useMemo } from 'react'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, XAxis, YAxis, type BarShapeProps } from 'recharts'
import { axisLine, gridColor, shortNumber, tick } from './axis.ts'
import classes from './charts.module.css'
import { armColor } from '../theme.ts'
import { barRows, barTicks, type BarRow } from './series.ts'

export interface CompareBarsProps {
  comparison: Comparison
  names: Record<Arm, string>
}

/** Both arms side by side: TPS, and the latency percentiles. */
export function CompareBars({ comparison, names }: CompareBarsProps) {
  const tps = useMemo(() => barRows(comparison, ['tps']), [comparison])
  const latency = useMemo(() => barRows(comparison, ['p50', 'p90', 'p99']), [comparison])
  return (
    <div className={classes.pair}>
      <Bars title="TPS, more is better" unit="TPS" rows={tps} names={names} />
      <Bars title="Latency in µs, less is better" unit="µs" rows={latency} names={names} />
    </div>
  )
}

interface BarsProps {
  title: string
  unit: string
  rows: readonly BarRow[]
  names: Record<Arm, string>
}

function Bars({ title, unit, rows, names }: BarsProps) {
  const told = rows.map(
    ({ label, off, on }) =>
      `${label}: ${names.off} ${formatCount(off)} ${unit}, ${names.on} ${formatCount(on)} ${unit}`,
  )
  const ticks = barTicks(rows)
  return (
    <figure>
      <figcaption className={classes.chartTitle}>{title}</figcaption>
      <div className={classes.bars} role="img" aria-label={`${title}. ${told.join('; ')}.`}>
        <ResponsiveContainer width="100%" height="100%">
          <BarChart
            data={[...rows]}
            accessibilityLayer={false}
            margin={{ top: 26, right: 8, bottom: 4, left: 0 }}
            barCategoryGap="22%"
            barGap={6}
          >
            <CartesianGrid vertical={false} stroke={gridColor} />
            <XAxis dataKey="label" tick={tick} axisLine={axisLine} tickLine={false} height={32} />
            <YAxis
              domain={[0, ticks.at(-1) ?? 1]}
              ticks={[...ticks]}
              tick={tick}
              axisLine={false}
              tickLine={false}
              tickFormatter={shortNumber}
              width={58}
            />
            {(['off', 'on'] as const).map((arm) => (
              <Bar key={arm} dataKey={arm} maxBarSize={84} isAnimationActive={false} shape={barShape(rows, arm)} />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
    </figure>
  )
}

function barShape(rows: readonly BarRow[], arm: Arm) {
  return (props: BarShapeProps) => <BarWithDots {...props} row={rows[props.index]} arm={arm} />
}

interface BarWithDotsProps extends BarShapeProps {
  row: BarRow | undefined
  arm: Arm
}

/** The median as a bar with its value, and every repeat as a dot on the same scale. */
function BarWithDots({ x, y, width, height, row, arm }: BarWithDotsProps) {
  if (row === undefined) return null
  const value = row[arm]
  const dots = arm === 'off' ? row.offDots : row.onDots
  const scale = value === 0 ? 0 : height / value
  const color = armColor[arm]
  const middle = x + width / 2
  const highest = Math.max(value, ...dots)
  const spread = Math.min(12, width / (dots.length + 2))
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={5}
        fill={`color-mix(in srgb, ${color} 30%, var(--surface))`}
      />
      <rect x={x} y={y} width={width} height={Math.min(3, height)} rx={1.5} fill={color} />
      {dots.map((dot, index) => (
        <circle
          // A repeat has no other name than its place.
          key={`${index}:${dot}`}
          cx={middle + (index - (dots.length - 1) / 2) * spread}
          cy={y + height - dot * scale}
          r={5}
          fill={color}
          stroke="var(--surface)"
          strokeWidth={1.5}
        />
      ))}
      <text
        x={middle}
        y={y + height - highest * scale - 12}
        textAnchor="middle"
        fill="var(--ink)"
        fontSize={16}
        fontWeight={600}
      >
        {width < 56 && value >= 10_000 ? shortNumber(value) : formatCount(value)}
      </text>
    </g>
  )
}
