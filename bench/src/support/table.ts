import { median } from '@expresslane/shared/measure/measurement'
import type { BenchApp } from './app.ts'

export interface Row {
  readonly what: string
  readonly bound: string
  readonly measured: string
  readonly how: string
  readonly holds: boolean
}

/** One result of a freshly started app, or several that share the start. */
export type Bench = (app: BenchApp) => Promise<Row | Row[]>

/** A Markdown table, as the README shows it. */
export function printTable(rows: readonly Row[]): void {
  console.log('| what | bound | measured | how | holds |')
  console.log('| --- | --- | --- | --- | --- |')
  for (const { what, bound, measured, how, holds } of rows) {
    console.log(`| ${what} | ${bound} | ${measured} | ${how} | ${holds ? 'yes' : '**no**'} |`)
  }
}

/** `1.02 (0.98 to 1.05)`: the median and the extremes. */
export function spread(values: readonly number[], digits: number, unit = ''): string {
  const sorted = values.toSorted((a, b) => a - b)
  const text = (value: number | undefined): string => `${(value ?? Number.NaN).toFixed(digits)}${unit}`
  return `${text(median(values))} (${text(sorted[0])} to ${text(sorted.at(-1))})`
}
