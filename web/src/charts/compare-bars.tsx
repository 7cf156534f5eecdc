import { maxOf } from '@expresslane/shared/measure/extremes'
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { useMemo } from 'react'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, XAxis, YAxis, type BarShapeProps } from 'recharts'
import { axisLine, barNumber, gridColor, shortNumber, tick } from './axis.ts'
import classes from './charts.module.css'
import type { SideLooks } from '../theme.ts'
import { barPanels, barTicks, type BarPanel, type BarRow } from './series.ts'

export interface CompareBarsProps {
  comparison: Comparison
  looks: SideLooks
}

/** Both arms side by side, in one panel per unit. */
export function CompareBars({ comparison, looks }: CompareBarsProps) {
  const panels = useMemo(() => barPanels(comparison), [comparison])
  return (
    <div className={classes.pair} data-panels={panels.length}>
      {panels.map((panel) => (
        <Bars key={panel.title} panel={panel} comparison={comparison} looks={looks} />
      ))}
    </div>
  )
}

type Side = keyof SideLooks

interface BarsProps extends CompareBarsProps {
  panel: BarPanel
}

function Bars({ panel: { title, unit, rows }, comparison, looks }: BarsProps) {
  const values = rows.map(
    ({ label, off, on }) =>
      `${label}: ${comparison.off.name} ${barNumber(off)} ${unit}, ${comparison.on.name} ${barNumber(on)} ${unit}`,
  )
  const ticks = barTicks(rows)
  return (
    <figure>
      <figcaption className={classes.chartTitle}>{title}</figcaption>
      <div className={classes.bars} role="img" aria-label={`${title}. ${values.join('; ')}.`}>
        <ResponsiveContainer width="100%" height="100%">
          <BarChart
            data={[...rows]}
            accessibilityLayer={false}
            margin={{ top: 26, right: 8, bottom: 4, left: 0 }}
            barCategoryGap="14%"
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
            {(['off', 'on'] as const).map((side) => (
              <Bar
                key={side}
                dataKey={side}
                maxBarSize={84}
                isAnimationActive={false}
                shape={barShape(rows, side, looks[side].color)}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
    </figure>
  )
}

function barShape(rows: readonly BarRow[], side: Side, color: string) {
  return (props: BarShapeProps) => <BarWithDots {...props} row={rows[props.index]} side={side} color={color} />
}

interface BarWithDotsProps extends BarShapeProps {
  row: BarRow | undefined
  side: Side
  color: string
}

/** The median as a bar with its value, every run as a dot on the same scale, and the interval next to the dots of `on`. */
function BarWithDots({ x, y, width, height, row, side, color }: BarWithDotsProps) {
  if (row === undefined) return null
  const value = row[side]
  const dots = side === 'off' ? row.offDots : row.onDots
  const interval = side === 'on' ? row.interval : null
  const scale = value === 0 ? 0 : height / value
  const bottom = y + height
  const highest = Math.max(maxOf(dots, value), interval?.high ?? 0)
  // Keeps the right end of the bar free for the interval.
  const room = interval === null ? width : width - 14
  const spread = Math.min(12, room / (dots.length + 2))
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
          // A run has no id other than its index.
          key={`${index}:${dot}`}
          cx={x + room / 2 + (index - (dots.length - 1) / 2) * spread}
          cy={bottom - dot * scale}
          r={dots.length > 10 ? 3.5 : 5}
          fill={color}
          stroke="var(--surface)"
          strokeWidth={1.5}
        />
      ))}
      {interval !== null && (
        <Whisker x={x + width - 9} top={bottom - interval.high * scale} bottom={bottom - interval.low * scale} />
      )}
      <text
        x={x + width / 2}
        y={bottom - highest * scale - 12}
        textAnchor="middle"
        fill="var(--ink)"
        fontSize={16}
        fontWeight={600}
      >
        {barLabel(value, width)}
      </text>
    </g>
  )
}

function barLabel(value: number, width: number): string {
  if (width >= 56) return barNumber(value)
  return value >= 10_000 ? shortNumber(value) : String(Math.round(value))
}

function Whisker({ x, top, bottom }: { x: number; top: number; bottom: number }) {
  const d = `M${x - 5} ${top}H${x + 5}M${x} ${top}V${bottom}M${x - 5} ${bottom}H${x + 5}`
  return <path d={d} stroke="var(--ink)" strokeWidth={2} fill="none" strokeLinecap="round" />
}
