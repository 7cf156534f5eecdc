/** A report or a headless result that is open in this tab: its comparisons, and its runs as the pages of runs show them. */
import type { Opinion } from '@expresslane/shared/compare/opinion'
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { epochMs } from '@expresslane/shared/base/units'
import type { OutputLine, ReportComparison } from '@expresslane/shared/report/model'
import type { RunId } from '@expresslane/shared/run/events'
import { LOG_LINES_KEPT, type RunState } from '@expresslane/shared/run/run-state'
import { formatTestbedId } from '@expresslane/shared/testbed/id'
import { measuredIn, READER, type RunSource } from '../source.ts'

export interface ShownComparison extends Pick<ReportComparison, 'title' | 'differences' | 'caution'> {
  readonly comparison: Comparison
  /** The run that made it; null if it compares two runs. */
  readonly run: RunId | null
  /** The counted machine's opinion; null without one. */
  readonly opinion: Pick<Opinion, 'sentence' | 'meaning'> | null
}

export interface OpenReport extends RunSource {
  /** A digest of the file's contents: the same report from a file and from an address has one id. */
  readonly id: string
  readonly question: string | null
  /** Expresslane's version, and when; null in a result, which does not have them. */
  readonly made: { readonly by: string; readonly at: number } | null
  readonly states: readonly RunState[]
  /** The titles of the runs' steps; the ids where they are unknown. */
  readonly titles: ReadonlyMap<RunId, string>
  readonly comparisons: readonly ShownComparison[]
  readonly published: readonly string[]
}

/** A run as far as a file has it. */
export interface ReadRun {
  readonly title: string
  readonly output: readonly OutputLine[]
  readonly known: Omit<RunState, keyof typeof unknown | 'testbed' | 'lastSeq' | 'log' | 'logDropped'>
}

/** The parts of a run's state that no report has. */
const unknown = {
  solveTo: null,
  queue: null,
  progress: null,
  checks: [],
  datapath: null,
  placement: null,
  leftOut: [],
} satisfies Partial<RunState>

export interface ReadFile extends Pick<
  OpenReport,
  'id' | 'title' | 'lab' | 'question' | 'made' | 'comparisons' | 'published'
> {
  readonly runs: readonly ReadRun[]
}

/** The same file has the same id in every browser: links name it. @param at milliseconds since the epoch */
export function idOf(at: number, { length }: Uint8Array): string {
  return `file-${at.toString(36)}-${length.toString(36)}`
}

/** Nothing of it is measured here, so that the page shows it as it shows a recording. */
function stateOf({ output, known }: ReadRun, context: string): RunState {
  const lines = output.map(({ kind, where, text }, seq) => ({ seq, kind, where, text }))
  return {
    ...known,
    ...unknown,
    testbed: formatTestbedId({ kind: 'recording', context, owner: null }),
    lastSeq: lines.length,
    log: lines.slice(-LOG_LINES_KEPT),
    logDropped: Math.max(0, lines.length - LOG_LINES_KEPT),
  }
}

export function createReport({ runs, ...about }: ReadFile): OpenReport {
  const states = runs.map((run) => stateOf(run, about.id))
  const stateWith = (id: RunId): RunState | null => states.find((one) => one.id === id) ?? null
  return {
    ...about,
    name: about.id,
    states,
    titles: new Map(runs.map(({ known, title }) => [known.id, title])),
    runs: states.map(({ id }) => id),
    measured: measuredIn(states),
    sessionOf(id) {
      const state = stateWith(id)
      if (state === null) throw new Error(`the report has no run ${id}`)
      const { sessionId, labId, testbed, startedAt } = state
      return { id: sessionId, labId, testbed, owner: READER, createdAt: epochMs.parse(startedAt) }
    },
    whole: (id) => Promise.resolve(stateWith(id)),
    lines(id) {
      const output = runs.find(({ known }) => known.id === id)?.output ?? []
      return Promise.resolve(output.map((line, seq) => ({ ...line, seq })))
    },
  }
}
