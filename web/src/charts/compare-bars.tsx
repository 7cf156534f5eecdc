import { comparedPanels, type Bar as ArmBar, type BarPanel, type SideHues } from '@expresslane/shared/charts/bars'
import { tickWords } from '@expresslane/shared/charts/draw/ticks'
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import { maxOf } from '@expresslane/shared/measure/extremes'
import { formatCount } from '@expresslane/shared/base/units'
import { useMemo } from 'react'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, XAxis, YAxis, type BarShapeProps } from 'recharts'
import type { pointed } from './choices.ts'
import { axisLine, gridColor, tick } from './series.ts'
import classes from './charts.module.css'

/** None for a dot that can't be chosen. */
type DotAttributes = Partial<ReturnType<typeof pointed>>

export interface CompareBarsProps {
  comparison: Comparison
  hues: SideHues
  /** The attributes of the dot of a repeat, by its place among the compared repeats. */
  attributesOf: (side: 'off' | 'on', index: number) => DotAttributes
}

/** Both arms side by side, in one panel per axis. */
export function CompareBars({ comparison, hues, attributesOf }: CompareBarsProps) {
  const panels = useMemo(() => comparedPanels(comparison, hues), [comparison, hues])
  return (
    <div className="row apart top">
      {panels.map((panel) => (
        <Bars key={panel.title} panel={panel} comparison={comparison} attributesOf={attributesOf} />
      ))}
    </div>
  )
}

interface BarsProps extends Omit<CompareBarsProps, 'hues'> {
  panel: BarPanel
}

function Bars({ panel: { title, divisor, groups, ticks }, comparison, attributesOf }: BarsProps) {
  const rows = groups.map(({ metric, bars }) => ({
    label: metricOf(metric).short,
    ...Object.fromEntries(bars.map(({ value }, side) => [side, (value ?? 0) / divisor])),
  }))
  const words = groups.map(({ metric, bars }) => {
    const values = bars.map(({ label, value }) => `${label} ${formatMetric(metric, value)}`)
    return `${metricOf(metric).short}: ${values.join(', ')}`
  })
  return (
    <figure className={classes.panel}>
      <figcaption className="medium muted">{title}</figcaption>
      <div className={classes.bars} role="img" aria-label={`${title}. ${words.join('; ')}.`}>
        <ResponsiveContainer width="100%" height="100%">
          <BarChart
            data={rows}
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
              tickFormatter={tickWords}
              width={58}
            />
            {(['off', 'on'] as const).map((name, side) => (
              <Bar
                key={name}
                dataKey={String(side)}
                maxBarSize={84}
                isAnimationActive={false}
                shape={barShape(
                  groups.map(({ bars }) => bars[side]),
                  divisor,
                  // With fewer values, it is not known whose they are.
                  (values, index) => (values === comparison[name].runs ? attributesOf(name, index) : {}),
                )}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
    </figure>
  )
}

function barShape(
  bars: readonly (ArmBar | undefined)[],
  divisor: number,
  attributesOf: BarWithDotsProps['attributesOf'],
) {
  return (props: BarShapeProps) => {
    const bar = bars[props.index]
    return bar === undefined ? null : <BarWithDots {...props} bar={bar} divisor={divisor} attributesOf={attributesOf} />
  }
}

interface BarWithDotsProps extends BarShapeProps {
  bar: ArmBar
  divisor: number
  /** @param values how many dots the bar has */
  attributesOf: (values: number, index: number) => DotAttributes
}

/** The median as a bar with its value, every run as a dot on the same scale, and the interval next to the dots. */
function BarWithDots({ x, y, width, height, bar, divisor, attributesOf }: BarWithDotsProps) {
  const { value, values, interval, hue } = bar
  const color = `var(--arm-${hue})`
  const scale = value === null || value === 0 ? 0 : height / value
  const bottom = y + height
  const highest = Math.max(maxOf(values, value ?? 0), interval?.high ?? 0)
  // Keeps the right end of the bar free for the interval.
  const room = interval === null ? width : width - 14
  const spread = Math.min(12, room / (values.length + 2))
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
      {values.map((dot, index) => (
        <circle
          // A run has no id other than its index.
          key={`${index}:${dot}`}
          cx={x + room / 2 + (index - (values.length - 1) / 2) * spread}
          cy={bottom - dot * scale}
          r={values.length > 10 ? 3.5 : 5}
          fill={color}
          stroke="var(--surface)"
          strokeWidth={1.5}
          {...attributesOf(values.length, index)}
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
        {barLabel((value ?? 0) / divisor, width)}
      </text>
    </g>
  )
}

/** `12,191`, `16.7`, `88`; shorter over a narrow bar. */
function barLabel(value: number, width: number): string {
  if (width < 56) return value >= 10_000 ? tickWords(value) : String(Math.round(value))
  return value >= 100 ? formatCount(value) : String(Number(value.toFixed(1)))
}

function Whisker({ x, top, bottom }: { x: number; top: number; bottom: number }) {
  const d = `M${x - 5} ${top}H${x + 5}M${x} ${top}V${bottom}M${x - 5} ${bottom}H${x + 5}`
  return <path d={d} stroke="var(--ink)" strokeWidth={2} fill="none" strokeLinecap="round" />
}
