/** The exhibits of probes, in the HTML report. */
import { exhibitTable } from '../../run/exhibit-table.ts'
import type { ReportRun } from '../model.ts'
import { paragraph, table } from './parts.ts'

/** A table for each exhibit, in their order. */
export function exhibitsPart({ exhibits }: ReportRun): string {
  return exhibits
    .map(exhibitTable)
    .map(({ title, columns, rows, note }) => {
      const cells = rows.map((row) => ({ cells: row }))
      return table(title, columns, cells, 'found') + paragraph(note ?? '', 'note')
    })
    .join('')
}
