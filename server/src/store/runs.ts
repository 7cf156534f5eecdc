import type { DatabaseSync } from 'node:sqlite'
import { runId, runStatus, sessionId, type EndState, type RunId } from '@expresslane/shared/run/events'
import { briefVerdict, type BriefVerdict } from '@expresslane/shared/compare/comparison'
import { stepParams } from '@expresslane/shared/labs/lab'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { runSummary, type listRuns } from '@expresslane/shared/wire/protocol'
import { testbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import { upgradeRunResult } from '@expresslane/shared/recordings/upgrade'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { needs, type Resource } from '../testbeds/resources.ts'
import { columns, flag, query, type Query } from './columns.ts'
import { readJson } from './json.ts'

/** The fields of an ended run that the history shows in addition to the row's columns. */
const keptResult = runSummary.pick({ passed: true, leftOut: true, measured: true, verdict: true, problem: true })
export type KeptResult = z.infer<typeof keptResult>
const storedResult = z.preprocess(upgradeRunResult, keptResult)

const row = columns(
  z.object({
    id: runId,
    sessionId,
    testbed: testbedId,
    labId: z.string(),
    stepId: z.string(),
    state: runStatus,
    startedAt: epochMs,
    endedAt: epochMs.nullable(),
    params: z.string(),
    incarnation: z.string(),
    solveTo: z.string().nullable(),
    owner: z.string(),
    summary: z.string().nullable(),
    /** When it was queued. Null once it has started; kept if it was cancelled in the queue. */
    queuedAt: epochMs.nullable(),
    /** The principal who requested it. */
    person: z.string(),
    needs: z.string(),
    remaining: z.string(),
    /** When the instructor moved it to the front of the line; null if it waits for its turn. */
    jumpedAt: epochMs.nullable(),
  }),
).transform(({ summary, ...from }) => ({
  ...from,
  params: readJson(stepParams, from.params, `params of run ${from.id}`),
  /** The resources that it needs exclusively. */
  needs: readJson(needs, from.needs, `needs of run ${from.id}`),
  /** In a solve: the ids of the steps that follow. */
  remaining: readJson(z.array(z.string()).readonly(), from.remaining, `remaining steps of run ${from.id}`),
  result: summary === null ? null : readJson(storedResult, summary, `summary of run ${from.id}`),
}))

/** A run's row. The event log has its events. */
export type RunRow = z.infer<typeof row>
export type NewRun = Omit<RunRow, 'state' | 'endedAt' | 'result' | 'jumpedAt'>
/** The columns that are decided again when a queued run's turn comes. */
export type Turn = Pick<RunRow, 'stepId' | 'incarnation' | 'needs' | 'remaining'>
/** `owner`: only runs in that principal's sessions. */
export type RunFilter = z.output<typeof listRuns.query> & { readonly owner?: string }

export interface Runs {
  /** Adds a run: queued if it has a `queuedAt`, otherwise running. */
  add(run: NewRun): void
  /** Starts a queued run. @returns false, without a change, if it is no longer queued */
  start(id: string, at: EpochMs, turn: Turn): boolean
  /** Changes the needs of a queued run. */
  change(id: string, turn: Turn): void
  /** Sets the time since which a run is queued. */
  queueFrom(id: string, at: EpochMs): void
  /** Moves a queued run to the front. @returns false if it is not queued */
  jump(id: string, at: EpochMs): boolean
  /** Hands a queued run over to another process. @returns false if it is not queued, or does not belong to `from` */
  adopt(id: string, from: string, to: string): boolean
  /** @returns false, without a change, if the run has already ended */
  end(id: string, state: EndState, at: EpochMs, result: KeptResult): boolean
  find(id: string): RunRow | null
  /** Oldest first. */
  ofSession(sessionId: string): RunRow[]
  /** When each run of a session was requested, and whether its check showed a hint. */
  asked(sessionId: string): Map<RunId, Asked>
  /** The latest second opinion on the run `id` among a person's runs of a lab on a testbed; null if there is none. */
  opinionOn(id: string, among: Pick<RunRow, 'labId' | 'testbed' | 'person'>): RunRow | null
  /** All queued and running runs: a room can have a thousand, which take 30 ms to read. */
  open(): RunRow[]
  queued(): RunRow[]
  running(): RunRow[]
  /** The running runs that hold one of these resources. */
  holding(resources: readonly Resource[]): RunRow[]
  /** The running runs that have a shared resource. */
  sharing(): RunRow[]
  /** How many queued and running runs a person has. */
  openOf(person: string): number
  runningOn(testbed: TestbedId): RunRow | null
  /** How long the latest completed runs of a step took on testbeds of a kind, newest first. */
  durations(labId: string, stepId: string, kind: TestbedKind): Lasted[]
  /** How many runs a person has. */
  countOf(person: string): number
  /** A person's ended runs whose size is not known yet. */
  uncounted(person: string): RunId[]
  /** Keeps the size of a run's events, in bytes. */
  keepSize(id: RunId, bytes: number): void
  /** The sum of the sizes that are known, in bytes. */
  bytesOf(person: string): number
  /** The latest verdict of a session; null without a comparison. */
  verdictOf(sessionId: string): BriefVerdict | null
  /** Newest first, at most `limit`. The page starts after the run `before`. */
  page(filter: RunFilter): RunRow[]
}

const DURATIONS = 15
const idRow = z.object({ id: runId })
const sumRow = z.object({ sum: z.number().int() })
const verdictRow = z
  .object({ verdict: z.string() })
  .transform((from) => ({ verdict: readJson(briefVerdict, from.verdict, 'verdict of a run') }))
const lastedRow = z
  .object({ seconds: z.number(), params: z.string() })
  .transform(({ seconds, params }) => ({ seconds, params: readJson(stepParams, params, 'params of a run') }))
const askedRow = columns(z.object({ id: runId, requestedAt: epochMs, hint: flag }))
/** A run's first event is its request, also if it waited in the queue. */
export type Asked = z.infer<typeof askedRow>

/** How long a run took, and with which parameters. */
export type Lasted = z.infer<typeof lastedRow>

/** Builds a page's query from only the conditions in use, so that an index also provides the order. */
export function pageQuery({ lab, state, measured, recorded, before, owner, limit }: RunFilter): {
  readonly sql: string
  readonly values: readonly (string | number)[]
} {
  const given: [string, string | number | undefined][] = [
    ['lab_id = ?', lab],
    ['state = ?', state],
    [`(summary ->> '$.measured' IS NOT NULL) = ?`, measured === undefined ? undefined : Number(measured === 'true')],
    [`(testbed GLOB 'recording*') = ?`, recorded === undefined ? undefined : Number(recorded === 'true')],
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

/** Counts what people's runs take in the store. */
function createSizes(db: DatabaseSync): Pick<Runs, 'countOf' | 'uncounted' | 'keepSize' | 'bytesOf'> {
  const counted = db.prepare('SELECT count(*) AS sum FROM runs WHERE person = ?')
  const sized = db.prepare('SELECT coalesce(sum(bytes), 0) AS sum FROM runs WHERE person = ?')
  const unsized = query(
    db,
    "SELECT id FROM runs WHERE person = ? AND bytes IS NULL AND state NOT IN ('queued', 'running')",
    idRow,
  )
  const keepSize = db.prepare('UPDATE runs SET bytes = ? WHERE id = ?')
  return {
    countOf: (person) => sumRow.parse(counted.get(person)).sum,
    uncounted: (person) => unsized.all(person).map(({ id }) => id),
    keepSize(id, bytes) {
      keepSize.run(bytes, id)
    },
    bytesOf: (person) => sumRow.parse(sized.get(person)).sum,
  }
}

/** Reads how runs began and what their checks showed, from their events. */
function createAsked(db: DatabaseSync): Pick<Runs, 'asked'> {
  const bySession = query(
    db,
    `SELECT id,
       coalesce((SELECT at FROM events WHERE run_id = runs.id ORDER BY seq LIMIT 1), started_at) AS requested_at,
       EXISTS (SELECT 1 FROM events INDEXED BY events_by_kind WHERE run_id = runs.id AND kind = 0
         AND event ->> '$.type' = 'step.checked' AND event ->> '$.outcome.hint' IS NOT NULL) AS hint
     FROM runs WHERE session_id = ?`,
    askedRow,
  )
  return { asked: (session) => new Map(bySession.all(session).map((one) => [one.id, one])) }
}

export function createRuns(db: DatabaseSync): Runs {
  const insert = db.prepare(
    `INSERT INTO runs (id, session_id, testbed, lab_id, step_id, state, started_at, params, incarnation, solve_to, owner,
       queued_at, person, needs, remaining)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = db.prepare(
    `UPDATE runs SET state = ?, ended_at = ?, summary = ? WHERE id = ? AND state IN ('queued', 'running')`,
  )
  const begin = db.prepare(
    `UPDATE runs SET state = 'running', queued_at = NULL, started_at = ? WHERE id = ? AND state = 'queued'`,
  )
  const turn = db.prepare('UPDATE runs SET step_id = ?, incarnation = ?, needs = ?, remaining = ? WHERE id = ?')
  const queue = db.prepare(`UPDATE runs SET queued_at = ? WHERE id = ? AND state = 'queued'`)
  const jump = db.prepare(`UPDATE runs SET jumped_at = ? WHERE id = ? AND state = 'queued'`)
  const take = db.prepare(`UPDATE runs SET owner = ? WHERE id = ? AND owner = ? AND state = 'queued'`)
  const unended = query(db, `SELECT * FROM runs WHERE state IN ('queued', 'running') ORDER BY started_at, id`, row)
  const lasted = query(
    db,
    `SELECT (ended_at - started_at) / 1000.0 AS seconds, params FROM runs
     WHERE lab_id = ?1 AND step_id = ?2 AND state = 'completed'
       AND (testbed = ?3 OR testbed GLOB ?3 || '[:@]*') ORDER BY started_at DESC LIMIT ${DURATIONS}`,
    lastedRow,
  )
  const byId = query(db, 'SELECT * FROM runs WHERE id = ?', row)
  const bySession = query(db, 'SELECT * FROM runs WHERE session_id = ? ORDER BY started_at, id', row)
  const opinion = query(
    db,
    `SELECT * FROM runs WHERE session_id IN (SELECT id FROM sessions WHERE owner = ? AND lab_id = ? AND testbed = ?)
       AND params ->> '$.opinionOf' = ? ORDER BY started_at DESC, id DESC LIMIT 1`,
    row,
  )
  const verdict = query(
    db,
    `SELECT summary ->> '$.verdict' AS verdict FROM runs
     WHERE session_id = ? AND summary ->> '$.verdict' IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT 1`,
    verdictRow,
  )
  const open = query(db, `SELECT * FROM runs WHERE state = 'running' ORDER BY started_at, id`, row)
  const queued = query(db, `SELECT * FROM runs WHERE state = 'queued' ORDER BY started_at, id`, row)
  const holding = query(
    db,
    `SELECT * FROM runs WHERE state = 'running' AND id IN
       (SELECT run_id FROM holds WHERE resource IN (SELECT value FROM json_each(?)))`,
    row,
  )
  const sharing = query(
    db,
    `SELECT * FROM runs WHERE state = 'running' AND needs ->> '$.shared' <> '[]' ORDER BY started_at, id`,
    row,
  )
  const openOf = db.prepare(`SELECT count(*) AS sum FROM runs WHERE person = ? AND state IN ('queued', 'running')`)
  const openOn = query(db, `SELECT * FROM runs WHERE state = 'running' AND testbed = ?`, row)
  const pages = new Map<string, Query<RunRow>>()
  function change(id: string, { stepId, incarnation, needs: needed, remaining }: Turn): void {
    turn.run(stepId, incarnation, JSON.stringify(needed), JSON.stringify(remaining), id)
  }

  return {
    add(run) {
      const { id, sessionId: session, testbed, labId, stepId, startedAt, params, incarnation, solveTo, owner } = run
      const state = run.queuedAt === null ? 'running' : 'queued'
      const start = [id, session, testbed, labId, stepId, state, startedAt, JSON.stringify(params), incarnation]
      const line = [run.queuedAt, run.person, JSON.stringify(run.needs), JSON.stringify(run.remaining)]
      insert.run(...start, solveTo, owner, ...line)
    },
    start(id, at, given) {
      if (begin.run(at, id).changes !== 1) return false
      change(id, given)
      return true
    },
    change,
    queueFrom(id, at) {
      queue.run(at, id)
    },
    jump: (id, at) => jump.run(at, id).changes === 1,
    adopt: (id, from, to) => take.run(to, id, from).changes === 1,
    end: (id, state, at, result) => update.run(state, at, JSON.stringify(result), id).changes === 1,
    find: byId.one,
    ofSession: bySession.all,
    ...createAsked(db),
    opinionOn: (id, { labId, testbed, person }) => opinion.one(person, labId, testbed, id),
    open: unended.all,
    durations: lasted.all,
    queued: queued.all,
    running: open.all,
    holding: (resources) => holding.all(JSON.stringify(resources)),
    sharing: sharing.all,
    openOf: (person) => sumRow.parse(openOf.get(person)).sum,
    runningOn: openOn.one,
    ...createSizes(db),
    verdictOf: (session) => verdict.one(session)?.verdict ?? null,
    page(filter) {
      const { sql, values } = pageQuery(filter)
      const page = pages.get(sql) ?? query(db, sql, row)
      pages.set(sql, page)
      return page.all(...values)
    },
  }
}
