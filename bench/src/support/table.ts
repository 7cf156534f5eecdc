import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '@expresslane/shared/measure/measurement'
import type { BenchApp } from './app.ts'

export interface Row {
  readonly what: string
  readonly bound: string
  readonly measured: string
  readonly how: string
  readonly holds: boolean
}

/** Measures a freshly started app, and returns a row, or several rows that share the start. */
export type Bench = (app: BenchApp) => Promise<Row | Row[]>

const document = join(import.meta.dirname, '../../../docs/measured.md')
const HEAD = '| what | bound | measured | how | holds |'

function lineOf({ what, bound, measured, how, holds }: Row): string {
  return `| ${what} | ${bound} | ${measured} | ${how} | ${holds ? 'yes' : '**no**'} |`
}

/** The text with each row in the place of that with the same name, or at the end of the first table that has these columns. */
export function withRows(text: string, rows: readonly Row[]): string {
  return rows
    .reduce((lines, row) => {
      const same = lines.findIndex((line) => line.startsWith(`| ${row.what} |`))
      if (same !== -1) return lines.with(same, lineOf(row))
      const head = lines.indexOf(HEAD)
      const end = lines.findIndex((line, at) => at > head && !line.startsWith('|'))
      return lines.toSpliced(end, 0, lineOf(row))
    }, text.split('\n'))
    .join('\n')
}

/** Prints a Markdown table. @param write whether docs/measured.md gets its rows */
export function printTable(rows: readonly Row[], write: boolean): void {
  console.log(HEAD)
  console.log('| --- | --- | --- | --- | --- |')
  for (const row of rows) console.log(lineOf(row))
  if (write) writeFileSync(document, withRows(readFileSync(document, 'utf8'), rows))
}

/** `1.02 (0.98 to 1.05)`: the median and the extremes. */
export function spread(values: readonly number[], digits: number, unit = ''): string {
  const sorted = values.toSorted((a, b) => a - b)
  const text = (value: number | undefined): string => `${(value ?? Number.NaN).toFixed(digits)}${unit}`
  return `${text(median(values))} (${text(sorted[0])} to ${text(sorted.at(-1))})`
}
