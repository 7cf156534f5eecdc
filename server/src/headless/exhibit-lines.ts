/** The exhibits of a probe, as lines for the terminal. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import { exhibitTable } from '@expresslane/shared/run/exhibit-table'

/** Characters that a terminal acts upon, or that hide or turn text around; also line ends, as a cell has one line. */
const NOT_SHOWN = /[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu
/** A longer cell does not widen its column for all rows. */
const WIDEST = 40

function plain(text: string): string {
  return text.replaceAll(NOT_SHOWN, ' ').trim()
}

/** A title, and a table whose columns stand below each other. */
export function exhibitLines(exhibit: Exhibit): string[] {
  const { title, columns, rows, note } = exhibitTable(exhibit)
  const lines = [columns, ...rows].map((row) => row.map(plain))
  const widths = columns.map((_, place) =>
    maxOf(
      lines.map((row) => row[place]?.length ?? 0).filter((width) => width <= WIDEST),
      0,
    ),
  )
  const aligned = lines.map((row) =>
    row
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  const table = rows.length === 0 ? [] : aligned.map((line) => `      ${line}`)
  return [`   ${plain(title)}`, ...table, ...(note === null ? [] : [`      ${plain(note)}`])]
}
