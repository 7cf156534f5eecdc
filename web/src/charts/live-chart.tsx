import { i18n } from '@expresslane/shared/base/language'
import { tickWords } from '@expresslane/shared/charts/draw/ticks'
import { timeSeries } from '@expresslane/shared/charts/time-series'
import { formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import { clockAxis } from '@expresslane/shared/measure/clock'
import type { BenchmarkKind } from '@expresslane/shared/measure/benchmark'
import { median, valueOf, valuesOf } from '@expresslane/shared/measure/measurement'
import type { RepeatState } from '@expresslane/shared/run/run-state'
import { useMemo } from 'react'
import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import { capitalized } from '@expresslane/shared/features/words'
import { armColor } from '../theme.ts'
import classes from './charts.module.css'
import { axisLine, gridColor, lineKey, liveRows, tick } from './series.ts'

export interface LiveChartProps {
  repeats: readonly RepeatState[]
  /** The benchmark kind; the chart shows its live metric. */
  kind: BenchmarkKind
  /** The other arm's median of that metric, drawn as a line for comparison; null for none. */
  reference: number | null
}

function summary(repeats: readonly RepeatState[], { live, caption }: BenchmarkKind): string {
  const parts = repeats.map(({ repeat, samples, measurement }) => {
    const value = measurement === null ? null : valueOf(measurement, live)
    if (value !== null) return i18n.t('repeat {repeat}: {result}', { repeat, result: formatMetric(live, value) })
    const typical = median(valuesOf(samples, live))
    return Number.isFinite(typical)
      ? i18n.t('repeat {repeat}, running: about {result}', { repeat, result: formatMetric(live, typical) })
      : i18n.t('repeat {repeat}: started', { repeat })
  })
  return i18n.t('{metric} over time. {repeats}.', { metric: capitalized(caption), repeats: parts.join('; ') })
}

/** The live metric during the measurement of an arm, with the repeats end to end on one time axis, in the arm's hue. */
export function LiveChart({ repeats, kind, reference }: LiveChartProps) {
  const { live } = kind
  const series = useMemo(
    () => timeSeries(repeats, live, { highest: reference, planned: true }),
    [repeats, live, reference],
  )
  const rows = useMemo(() => liveRows(series), [series])
  const axis = clockAxis(series.clock)
  return (
    <div className={classes.tps} role="img" aria-label={summary(repeats, kind)}>
      <ResponsiveContainer width="100%" height="100%">
        <LineChart data={rows} accessibilityLayer={false} margin={{ top: 12, right: 12, bottom: 4, left: 0 }}>
          <CartesianGrid vertical={false} stroke={gridColor} />
          <XAxis
            dataKey="at"
            type="number"
            domain={[0, series.seconds]}
            tick={tick}
            axisLine={axisLine}
            tickLine={false}
            tickFormatter={(at: number) => axis.tick(Math.round(at))}
            ticks={[0, ...series.borders, series.seconds]}
            interval="preserveStartEnd"
            minTickGap={24}
            height={axis.title === null ? 32 : 56}
            {...(axis.title === null ? {} : { label: { ...tick, value: axis.title, position: 'insideBottomRight' } })}
          />
          <YAxis
            domain={[0, series.ticks.at(-1) ?? 1]}
            ticks={[...series.ticks]}
            tick={tick}
            axisLine={false}
            tickLine={false}
            tickFormatter={tickWords}
            width={58}
          />
          {series.borders.map((at) => (
            <ReferenceLine key={at} x={at} stroke={gridColor} strokeDasharray="3 4" />
          ))}
          {reference !== null && (
            <ReferenceLine
              y={reference / metricOf(live).axis.divisor}
              stroke={armColor.off}
              strokeDasharray="6 5"
              strokeWidth={2}
              label={{
                value: i18n.t('before: {before}', { before: formatMetric(live, reference) }),
                position: 'insideBottomLeft',
                fill: armColor.off,
                fontSize: 16,
              }}
            />
          )}
          {series.lines.map(({ repeat: { repeat } }) => (
            <Line
              key={repeat}
              dataKey={lineKey(repeat)}
              type="linear"
              stroke="var(--arm)"
              strokeWidth={2.5}
              dot={false}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  )
}
