import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { endState, runId, sessionId, type EndState } from '@expresslane/shared/run/events'
import { stepParams } from '@expresslane/shared/labs/lab'
import { runSummary, type runsQuery } from '@expresslane/shared/wire/protocol'
import { testbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import { upgradeRunResult } from '@expresslane/shared/recordings/upgrade'
import { epochMs, type EpochMs } from '@expresslane/shared/measure/units'
import { z } from 'zod'
import { readJson } from './json.ts'

const runState = z.enum(['running', ...endState.options])
/** What the history shows of an ended run beyond the row's own columns. */
const runResult = runSummary.pick({ passed: true, measured: true, problem: true })
export type RunResult = z.infer<typeof runResult>
const storedResult = z.preprocess(upgradeRunResult, runResult)

const row = z
  .object({
    id: runId,
    session_id: sessionId,
    testbed: testbedId,
    lab_id: z.string(),
    step_id: z.string(),
    state: runState,
    started_at: epochMs,
    ended_at: epochMs.nullable(),
    params: z.string(),
    incarnation: z.string(),
    solve_to: z.string().nullable(),
    owner: z.string(),
    summary: z.string().nullable(),
  })
  .transform((from) => ({
    id: from.id,
    sessionId: from.session_id,
    testbed: from.testbed,
    labId: from.lab_id,
    stepId: from.step_id,
    state: from.state,
    startedAt: from.started_at,
    endedAt: from.ended_at,
    params: readJson(stepParams, from.params, `params of run ${from.id}`),
    incarnation: from.incarnation,
    solveTo: from.solve_to,
    owner: from.owner,
    result: from.summary === null ? null : readJson(storedResult, from.summary, `summary of run ${from.id}`),
  }))

/** A run as its row tells it; what happened in it is in the event log. */
export type RunRow = z.infer<typeof row>
export type NewRun = Omit<RunRow, 'state' | 'endedAt' | 'result'>
/** `owner`: only of sessions of that principal. */
export type RunFilter = z.output<typeof runsQuery> & { readonly owner?: string }

export interface Runs {
  /** @returns false when the testbed has a running run already; nothing is inserted then */
  begin(run: NewRun): boolean
  /** @returns false when the run had ended before; nothing is changed then */
  end(id: string, state: EndState, at: EpochMs, result: RunResult): boolean
  find(id: string): RunRow | null
  /** Oldest first. */
  ofSession(sessionId: string): RunRow[]
  running(): RunRow[]
  runningOn(testbed: TestbedId): RunRow | null
  /** Newest first, at most `limit`; `before` is the run after which the page begins. */
  page(filter: RunFilter): RunRow[]
}

const ONE_RUNNING = /UNIQUE constraint failed: runs\.testbed/

/** A page's query with the conditions that there are and no others, so that an index gives the order, too. */
export function pageQuery({ lab, state, measured, before, owner, limit }: RunFilter): {
  readonly sql: string
  readonly values: readonly (string | number)[]
} {
  const given: [string, string | number | undefined][] = [
    ['lab_id = ?', lab],
    ['state = ?', state],
    [`(summary ->> '$.measured' IS NOT NULL) = ?`, measured === undefined ? undefined : Number(measured === 'true')],
    ['session_id IN (SELECT id FROM sessions WHERE owner = ?)', owner],
    ['(started_at, id) < (SELECT started_at, id FROM runs WHERE id = ?)', before],
  ]
  const used = given.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]))
  const where = used.length === 0 ? '' : `WHERE ${used.map(({ condition }) => condition).join(' AND ')} `
  return {
    sql: `SELECT * FROM runs ${where}ORDER BY started_at DESC, id DESC LIMIT ?`,
    values: [...used.map(({ value }) => value), limit],
  }
}

export function createRuns(db: DatabaseSync): Runs {
  const insert = db.prepare(
    `INSERT INTO runs (id, session_id, testbed, lab_id, step_id, state, started_at, params, incarnation, solve_to, owner)
     VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?)`,
  )
  const update = db.prepare(`UPDATE runs SET state = ?, ended_at = ?, summary = ? WHERE id = ? AND state = 'running'`)
  const byId = db.prepare('SELECT * FROM runs WHERE id = ?')
  const bySession = db.prepare('SELECT * FROM runs WHERE session_id = ? ORDER BY started_at, id')
  const open = db.prepare(`SELECT * FROM runs WHERE state = 'running' ORDER BY started_at, id`)
  const openOn = db.prepare(`SELECT * FROM runs WHERE state = 'running' AND testbed = ?`)
  const pages = new Map<string, StatementSync>()
  return {
    begin(run) {
      const { id, sessionId: session, testbed, labId, stepId, startedAt, params, incarnation, solveTo, owner } = run
      try {
        const text = JSON.stringify(params)
        insert.run(id, session, testbed, labId, stepId, startedAt, text, incarnation, solveTo, owner)
        return true
      } catch (error) {
        if (error instanceof Error && ONE_RUNNING.test(error.message)) return false
        throw error
      }
    },
    end(id, state, at, result) {
      return update.run(state, at, JSON.stringify(result), id).changes === 1
    },
    find(id) {
      const found = byId.get(id)
      return found === undefined ? null : row.parse(found)
    },
    ofSession(id) {
      return bySession.all(id).map((found) => row.parse(found))
    },
    running() {
      return open.all().map((found) => row.parse(found))
    },
    runningOn(testbed) {
      const found = openOn.get(testbed)
      return found === undefined ? null : row.parse(found)
    },
    page(filter) {
      const { sql, values } = pageQuery(filter)
      const statement = pages.get(sql) ?? db.prepare(sql)
      pages.set(sql, statement)
      return statement.all(...values).map((found) => row.parse(found))
    },
  }
}
