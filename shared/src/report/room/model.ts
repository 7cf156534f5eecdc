/** The results of everybody in the room for one lab, as data. */
import type { Comparison } from '../../compare/comparison.ts'
import type { Family } from '../../base/units.ts'

export interface RoomResult {
  readonly family: Family
  readonly comparison: Comparison
}

/** A person's session of the lab. */
export interface RoomLine {
  readonly name: string
  readonly sessionId: string
  readonly testbed: string
  /** When the person was last measured, in milliseconds since the epoch; null before. */
  readonly measuredAt: number | null
  readonly passedSteps: number
  /** Null before both sides are measured. */
  readonly result: RoomResult | null
}

export interface RoomReport {
  readonly lab: { readonly id: string; readonly title: string; readonly question: string; readonly steps: number }
  /** Expresslane's version. */
  readonly madeBy: string
  /** Milliseconds since the epoch. */
  readonly madeAt: number
  readonly lines: readonly RoomLine[]
}

interface Compared {
  readonly name: string
  readonly family: Family
  readonly row: Comparison['rows'][number]
}

/** Results that one axis can show: results of the metric and family that most people have. */
export function comparableResults(lines: readonly RoomLine[]): Compared[] {
  const all = lines.flatMap(({ name, result }) => {
    const [row] = result?.comparison.rows ?? []
    return result === null || row === undefined ? [] : [{ name, family: result.family, row }]
  })
  const groups = Map.groupBy(all, ({ family, row }) => `${row.metric} ${family}`)
  return [...groups.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
}
