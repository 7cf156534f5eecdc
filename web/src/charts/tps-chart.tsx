import { isRequestResponse, median } from '@expresslane/shared/measure/measurement'
import type { RepeatState } from '@expresslane/shared/run/run-state'
import { formatTps } from '@expresslane/shared/measure/units'
import { useMemo } from 'react'
import { CartesianGrid, Line, LineChart, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import { armColor, armLook } from '../theme.ts'
import { axisLine, gridColor, shortNumber, tick } from './axis.ts'
import classes from './charts.module.css'
import { tpsSeries } from './series.ts'

export interface TpsChartProps {
  repeats: readonly RepeatState[]
  /** The other arm's median TPS, drawn as a line to compare with; null for none. */
  reference: number | null
}

function summary(repeats: readonly RepeatState[]): string {
  const parts = repeats.map(({ repeat, samples, measurement }) => {
    if (measurement !== null && isRequestResponse(measurement)) return `repeat ${repeat}: ${formatTps(measurement.tps)}`
    const typical = median(samples.map(({ tps }) => tps))
    return Number.isFinite(typical)
      ? `repeat ${repeat}, running: about ${formatTps(typical)}`
      : `repeat ${repeat}: started`
  })
  return `Transactions a second over time. ${parts.join('; ')}.`
}

/** TPS as it is measured, the repeats end to end on one time axis. */
export function TpsChart({ repeats, reference }: TpsChartProps) {
  const series = useMemo(() => tpsSeries(repeats, reference), [repeats, reference])
  return (
    <div className={classes.tps} role="img" aria-label={summary(repeats)}>
      <ResponsiveContainer width="100%" height="100%">
        <LineChart
          data={[...series.rows]}
          accessibilityLayer={false}
          margin={{ top: 12, right: 12, bottom: 4, left: 0 }}
        >
          <CartesianGrid vertical={false} stroke={gridColor} />
          <XAxis
            dataKey="at"
            type="number"
            domain={[0, series.seconds]}
            tick={tick}
            axisLine={axisLine}
            tickLine={false}
            tickFormatter={(value: number) => `${value} s`}
            ticks={[0, ...series.borders, series.seconds]}
            interval="preserveStartEnd"
            minTickGap={24}
            height={32}
          />
          <YAxis
            domain={[0, series.ticks.at(-1) ?? 1]}
            ticks={[...series.ticks]}
            tick={tick}
            axisLine={false}
            tickLine={false}
            tickFormatter={shortNumber}
            width={58}
          />
          {series.borders.map((at) => (
            <ReferenceLine key={at} x={at} stroke={gridColor} strokeDasharray="3 4" />
          ))}
          {reference !== null && (
            <ReferenceLine
              y={reference}
              stroke={armColor.off}
              strokeDasharray="6 5"
              strokeWidth={2}
              label={{
                value: `without: ${formatTps(reference)}`,
                position: 'insideBottomLeft',
                fill: armColor.off,
                fontSize: 16,
              }}
            />
          )}
          {series.lines.map(({ key, arm }) => (
            <Line
              key={key}
              dataKey={key}
              type="linear"
              stroke={armLook(arm).color}
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
