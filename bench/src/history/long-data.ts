/** Sessions of extreme sizes, written by SQL: one run of very many lines, one of very many samples, and very many runs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RunEvent } from '@expresslane/shared/run/events'
import { parseRecording } from '@expresslane/shared/recordings/recording'

export const LINES = 571_000
export const REPEATS = 1_050
export const SAMPLES_A_REPEAT = 120
export const RUNS = 500

/** A session and its last run. */
export interface Stored {
  readonly session: string
  readonly run: string
}

export interface LongSessions {
  readonly lines: Stored
  readonly samples: Stored
  readonly runs: Stored
}

const shipped = join(import.meta.dirname, '../../../recordings/big-tcp-ipv4.jsonl')
const summary = JSON.stringify({ passed: true, measured: null, problem: null })

function head(sessionId: string, labId: string, stepId: string) {
  const where = { testbed: 'netns', incarnation: 'bench' } as const
  return { sessionId, labId, stepId, ...where, params: {}, solveTo: null }
}

function repeatStarted(repeat: number): RunEvent {
  const of = { arm: 'off', caseId: null, warmup: false, family: 'ipv4', benchmark: null } as const
  return { type: 'repeat.started', ...of, repeat, repeats: REPEATS, seconds: SAMPLES_A_REPEAT }
}

function* manyLines(): Generator<RunEvent> {
  yield { type: 'command.started', commandId: 0, where: 'pod1', typed: 'netperf -t TCP_RR' }
  for (let line = 0; line < LINES; line += 1) {
    const text = `NETPERF_INTERIM_RESULT[${line}]=${12_000 + (line % 977)}.67`
    yield { type: 'command.output', commandId: 0, stream: 'stdout', text }
  }
}

function* manySamples(): Generator<RunEvent> {
  for (let repeat = 1; repeat <= REPEATS; repeat += 1) {
    yield repeatStarted(repeat)
    for (let at = 1; at <= SAMPLES_A_REPEAT; at += 1) {
      const values = { tps: 12_000 + ((repeat * at) % 977) }
      yield { type: 'sample.taken', repeat, sample: { atSeconds: at, seconds: 1, omitted: false, values } }
    }
  }
}

/** @param data a directory that a server has used before and that none uses now */
export function storeLongSessions(data: string): LongSessions {
  const db = new DatabaseSync(join(data, 'expresslane.db'))
  const addSession = db.prepare('INSERT INTO sessions (id, lab_id, testbed, created_at) VALUES (?, ?, ?, ?)')
  const addRun = db.prepare(
    `INSERT INTO runs (id, session_id, testbed, lab_id, step_id, state, started_at, ended_at, params, incarnation, owner, summary)
     VALUES (?, ?, 'netns', 'big-tcp-ipv4', ?, 'completed', ?, ?, '{}', 'bench', 'bench', ?)`,
  )
  const addEvent = db.prepare('INSERT INTO events (run_id, at, event) VALUES (?, ?, ?)')
  const begun = Date.now() - 86_400_000
  let runs = 0

  function session(name: string): string {
    const id = `s_${name.padStart(12, '0')}`
    addSession.run(id, 'big-tcp-ipv4', 'netns', begun)
    return id
  }

  function store(sessionId: string, stepId: string, events: Iterable<RunEvent>): Stored {
    runs += 1
    const [run, at] = [`r_${`${runs}`.padStart(12, '0')}`, begun + runs * 60_000]
    addRun.run(run, sessionId, stepId, at, at + 30_000, summary)
    const add = (event: RunEvent): void => void addEvent.run(run, at, JSON.stringify(event))
    add({ type: 'run.started', ...head(sessionId, 'big-tcp-ipv4', stepId) } as RunEvent)
    for (const event of events) add(event)
    add({ type: 'run.ended', state: 'completed', problem: null })
    return { session: sessionId, run }
  }

  db.exec('BEGIN')
  const lines = store(session('lines'), 'baseline', manyLines())
  const samples = store(session('samples'), 'baseline', manySamples())
  const walk = parseRecording(readFileSync(shipped, 'utf8')).runs
  const many = session('runs')
  let last = lines
  for (let number = 0; number < RUNS; number += 1) {
    const of = walk[number % walk.length]
    if (of === undefined) throw new Error('the shipped recording has no runs')
    last = store(
      many,
      of.stepId,
      of.events.slice(1, -1).map(({ event }) => event),
    )
  }
  db.exec('COMMIT')
  db.close()
  return { lines, samples, runs: last }
}
