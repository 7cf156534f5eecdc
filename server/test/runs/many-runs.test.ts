/** A session of many runs: what is read to start one more, and the size of its view. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runId, type RunEvent } from '@expresslane/shared/run/events'
import { parseRecording } from '@expresslane/shared/recordings/recording'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { epochMs } from '@expresslane/shared/base/units'
import { expect, it } from 'vitest'
import { viewSession } from '../../src/runs/coordination/sessions.ts'
import { sessionRuns, sessionStates } from '../../src/runs/log/session-runs.ts'
import { keptResultOf } from '../../src/runs/log/summary.ts'
import { beginSession, openRig } from '../support/deps.ts'

const RUNS = 500
const VIEW_BYTES = 300_000
const shipped = join(import.meta.dirname, '../../../recordings/big-tcp-ipv4.jsonl')

it('a session of 500 runs shows the runs that count, and reads no events of ended runs to start a run', async () => {
  const { deps } = openRig()
  const session = await beginSession(deps, 'big-tcp-ipv4')
  const { runs } = parseRecording(readFileSync(shipped, 'utf8'))
  for (let number = 1; number <= RUNS; number += 1) {
    const one = runs[number % runs.length]
    if (one === undefined) throw new Error('the recording is empty')
    const id = runId.parse(`r_${String(number).padStart(8, '0')}`)
    const head = { sessionId: session.id, labId: session.labId, stepId: one.stepId, testbed: thisMachine }
    const begun = { ...head, incarnation: 'one', params: {}, solveTo: null }
    const needs = { own: `testbed:${thisMachine}` as const, shared: [] }
    const row = { ...begun, id, owner: deps.store.owner, queuedAt: null, person: 'owner', needs, remaining: [] }
    deps.log.together((append) => {
      deps.store.runs.add({ ...row, startedAt: epochMs.parse(number) })
      append(id, { type: 'run.started', ...begun })
      for (const { event } of one.events.slice(1, -1)) append(id, event)
      append(id, { type: 'run.ended', state: 'completed', problem: null } satisfies RunEvent)
    })
    const state = deps.log.state(id)
    if (state === null) throw new Error('no state')
    deps.store.runs.end(id, 'completed', epochMs.parse(number), keptResultOf(state))
  }

  let read = 0
  const events = {
    ...deps.store.events,
    ofRun: (...asked: Parameters<typeof deps.store.events.ofRun>) => {
      const found = deps.store.events.ofRun(...asked)
      read += found.length
      return found
    },
  }
  const parts = { ...deps, store: { ...deps.store, events } }
  expect(sessionRuns(parts, session.id)).toHaveLength(RUNS)
  expect(read).toBe(0)

  const view = await viewSession(parts, session)
  expect(new Set(view.runs.map(({ stepId }) => stepId))).toEqual(new Set(runs.map(({ stepId }) => stepId)))
  expect(view.runs.length).toBeLessThan(2 * runs.length)
  expect(JSON.stringify(view).length).toBeLessThan(VIEW_BYTES)
  expect(sessionStates(deps, session.id).map(({ id }) => id)).toEqual(view.runs.map(({ id }) => id))
})
