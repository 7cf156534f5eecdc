/** The room's results as CSV (RFC 4180): one row per person's session, for the main metric. */
import { csvCell } from '../csv.ts'
import type { RoomLine, RoomReport } from './model.ts'

type Cell = Parameters<typeof csvCell>[0]

const rowOf = ({ result }: RoomLine) => result?.comparison.rows[0] ?? null

const columns: readonly (readonly [string, (line: RoomLine, report: RoomReport) => Cell])[] = [
  ['name', ({ name }) => name],
  ['lab', (_, { lab }) => lab.id],
  ['session_id', ({ sessionId }) => sessionId],
  ['testbed', ({ testbed }) => testbed],
  ['passed_steps', ({ passedSteps }) => passedSteps],
  ['steps', (_, { lab }) => lab.steps],
  ['measured_at', ({ measuredAt }) => (measuredAt === null ? null : new Date(measuredAt).toISOString())],
  ['family', ({ result }) => result?.family ?? null],
  ['metric', (line) => rowOf(line)?.metric ?? null],
  ['before', ({ result }) => result?.comparison.off.name ?? null],
  ['after', ({ result }) => result?.comparison.on.name ?? null],
  ['before_repeats', ({ result }) => result?.comparison.off.runs ?? null],
  ['after_repeats', ({ result }) => result?.comparison.on.runs ?? null],
  ['before_median', (line) => rowOf(line)?.off ?? null],
  ['after_median', (line) => rowOf(line)?.on ?? null],
  ['ratio', (line) => rowOf(line)?.ratio ?? null],
  ['ratio_low', (line) => rowOf(line)?.interval?.low ?? null],
  ['ratio_high', (line) => rowOf(line)?.interval?.high ?? null],
  ['p', (line) => rowOf(line)?.p ?? null],
  ['verdict', ({ result }) => result?.comparison.verdict ?? null],
]

/** Ends with a line break, as every record does. */
export function roomCsv(report: RoomReport): string {
  const head = columns.map(([name]) => csvCell(name))
  const lines = report.lines.map((line) => columns.map(([, value]) => csvCell(value(line, report))))
  return [head, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('')
}
