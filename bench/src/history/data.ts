/** A data directory with many stored runs, written by SQL into the schema that the app itself made. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RunEvent } from '@expresslane/shared/run/events'
import { runSummary } from '@expresslane/shared/wire/protocol'

const RUNS_A_SESSION = 20
const LINES_A_RUN = 12
const DAY_MS = 86_400_000

const stored = runSummary.pick({ passed: true, measured: true, problem: true })

/** Every second run has a measurement, and every ninth failed. */
function summaryOf(number: number): string {
  const arm = number % 4 === 0 ? 'off' : 'on'
  const tps = 12_000 + (number % 977)
  const figures = { tps, throughput: tps * 640_000, p99: 120 + (number % 60) }
  const measured =
    number % 2 === 0
      ? {
          arms: [arm],
          family: 'ipv4',
          repeats: 3,
          tool: 'tcp-rr',
          values: { ...figures, packetsPerRequest: arm === 'off' ? 2 : 1 },
        }
      : null
  return JSON.stringify(stored.parse({ passed: number % 9 !== 0, measured, problem: null }))
}

function eventsOf(sessionId: string, stepId: string): object[] {
  const started = { sessionId, labId: 'big-tcp-ipv4', stepId, testbed: 'netns', incarnation: 'bench', params: {} }
  const lines = Array.from({ length: LINES_A_RUN }, (_, line) => ({
    type: 'command.output' satisfies RunEvent['type'],
    commandId: 0,
    stream: 'stdout',
    text: `NETPERF_INTERIM_RESULT[${line}]=12345.67`,
  }))
  return [
    { type: 'run.started' satisfies RunEvent['type'], ...started, solveTo: null },
    ...lines,
    { type: 'run.ended' satisfies RunEvent['type'], state: 'completed', problem: null },
  ]
}

/** @param data a directory that a server has used before and that none uses now */
export function storeRuns(data: string, count: number): void {
  const db = new DatabaseSync(join(data, 'expresslane.db'))
  const session = db.prepare('INSERT INTO sessions (id, lab_id, testbed, created_at) VALUES (?, ?, ?, ?)')
  const run = db.prepare(
    `INSERT INTO runs (id, session_id, testbed, lab_id, step_id, state, started_at, ended_at, params, incarnation, owner, summary)
     VALUES (?, ?, 'netns', 'big-tcp-ipv4', ?, 'completed', ?, ?, '{}', 'bench', 'bench', ?)`,
  )
  const event = db.prepare('INSERT INTO events (run_id, at, event) VALUES (?, ?, ?)')
  const begun = Date.now() - 30 * DAY_MS
  db.exec('BEGIN')
  for (let number = 0; number < count; number += 1) {
    const at = begun + number * 60_000
    const id = (kind: string, of: number): string => `${kind}_${String(of).padStart(12, '0')}`
    const sessionId = id('s', Math.floor(number / RUNS_A_SESSION))
    if (number % RUNS_A_SESSION === 0) session.run(sessionId, 'big-tcp-ipv4', 'netns', at)
    const stepId = number % 4 === 0 ? 'baseline' : 'measure-on'
    run.run(id('r', number), sessionId, stepId, at, at + 30_000, summaryOf(number))
    for (const one of eventsOf(sessionId, stepId)) event.run(id('r', number), at, JSON.stringify(one))
  }
  db.exec('COMMIT')
  db.close()
}
