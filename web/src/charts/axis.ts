/** The look of the axes of all charts. */
import { formatCount } from '@expresslane/shared/measure/units'

export const tick = { fill: 'var(--muted)', fontSize: 16, fontFamily: 'var(--font-ui)' }
export const axisLine = { stroke: 'var(--line-strong)' }
export const gridColor = 'var(--line)'

/** `12,500` -> `12.5k`: fits beside an axis. */
export function shortNumber(value: number): string {
  return value >= 1000 ? `${Number((value / 1000).toFixed(2))}k` : String(Number(value.toFixed(1)))
}

/** `12,191`, `16.7`, `88`: over a bar. */
export function barNumber(value: number): string {
  return value >= 100 ? formatCount(value) : String(Number(value.toFixed(1)))
}
