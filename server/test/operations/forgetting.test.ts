/** Old sessions leave the history: by age and by size, as a whole, and never while a run goes on. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runId, sessionId, type RunEvent } from '@expresslane/shared/run/events'
import { dataResponse } from '@expresslane/shared/wire/data'
import { epochMs } from '@expresslane/shared/base/units'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { expect, it, onTestFinished } from 'vitest'
import { FORGET_EVERY_MS, forgetOldSessions } from '../../src/operations/forgetting.ts'
import { openStore } from '../../src/store/open.ts'
import { testClock } from '../support/clock.ts'
import { dataDir } from '../support/deps.ts'
import { startServer } from '../support/http/server.ts'

const migrations = join(import.meta.dirname, '../../src/store/migrations')
const DAY = 24 * 60 * 60_000
const line: RunEvent = { type: 'command.output', commandId: 1, stream: 'stdout', text: 'x'.repeat(1000) }

interface Made {
  readonly session: number
  /** How long ago it ended; null while it runs. */
  readonly days: number | null
}

/** Runs with 300 events of 1 kB each. */
function history(runs: readonly Made[], keep: { days: number | null; bytes: number | null }) {
  const clock = testClock()
  const store = openStore(dataDir())
  onTestFinished(() => store.close())
  const said: object[] = []
  runs.forEach(({ session, days }, index) => {
    const owner = sessionId.parse(`s_0000000${session}`)
    const at = epochMs.parse(clock.now() - (days ?? 0) * DAY)
    if (store.sessions.find(owner) === null) {
      store.sessions.add({ id: owner, labId: 'big-tcp-ipv4', testbed: thisMachine, owner: 'owner', createdAt: at })
    }
    const id = runId.parse(`r_0000000${index + 1}`)
    store.transaction(() => {
      store.runs.add({
        id,
        sessionId: owner,
        testbed: thisMachine,
        labId: 'big-tcp-ipv4',
        stepId: 'baseline',
        startedAt: at,
        params: {},
        incarnation: 'one',
        solveTo: null,
        owner: store.owner,
        queuedAt: null,
        person: 'owner',
        needs: { own: `testbed:${thisMachine}`, shared: [] },
        remaining: [],
      })
      for (let count = 0; count < 300; count += 1) store.events.append(id, at, line)
    })
    if (days !== null) store.runs.end(id, 'completed', at, { passed: null, measured: null, problem: null })
  })
  const logger = { warn: (about: object) => said.push(about) }
  const forgetting = forgetOldSessions({ store, clock, logger, keep })
  onTestFinished(() => forgetting.close())
  const left = (): string[] =>
    store.runs
      .page({ limit: 50 })
      .map(({ id }) => id.slice(-1))
      .toSorted()
  return { clock, store, said, forgetting, left }
}

it('removes sessions by their last use, whole and oldest first, and says so', async () => {
  const runs = [
    { session: 1, days: 500 },
    { session: 2, days: 400 },
    { session: 1, days: 390 },
    { session: 3, days: 500 },
    { session: 3, days: 10 },
  ]
  const { forgetting, left, said, store } = history(runs, { days: 365, bytes: null })
  await forgetting.look()
  // The session 3 was used lately: its first run stays, too.
  expect(left()).toEqual(['4', '5'])
  expect(store.sessions.all().map(({ id }) => id)).toEqual(['s_00000003'])
  expect(said).toEqual([
    expect.objectContaining({ sessionId: 's_00000002', runs: 1, why: 'not used for 365 days' }),
    expect.objectContaining({ sessionId: 's_00000001', runs: 2, events: 600 }),
  ])
})

it('removes the oldest while there is too much, but nothing of the last 30 days', async () => {
  const runs = [
    { session: 1, days: 20 },
    { session: 2, days: 40 },
    { session: 3, days: 50 },
    { session: 4, days: 60 },
  ]
  const empty = history([], { days: null, bytes: null }).store.retention.usedBytes()
  const some = history(runs, { days: null, bytes: empty + 900_000 })
  await some.forgetting.look()
  expect(some.left()).toEqual(['1', '2'])
  const most = history(runs, { days: null, bytes: 1 })
  await most.forgetting.look()
  expect(most.left()).toEqual(['1'])
})

it('removes nothing where that is switched off', async () => {
  const { forgetting, left } = history([{ session: 1, days: 9000 }], { days: null, bytes: null })
  await forgetting.look()
  expect(left()).toEqual(['1'])
})

it('keeps a session that is presented', async () => {
  const { forgetting, left, store } = history([{ session: 1, days: 400 }], { days: 365, bytes: 1 })
  const [startedAt, stepSince] = [epochMs.parse(1), epochMs.parse(1)]
  const shown = { stepId: 'baseline', startedAt, stepSince, blank: false, pathWide: false, autopilot: false, pace: 1 }
  store.presentations.keep({ sessionId: sessionId.parse('s_00000001'), ...shown })
  await forgetting.look()
  expect(left()).toEqual(['1'])
})

it('waits while a run goes on, stops when one begins, and goes on later', async () => {
  const { forgetting, left, store, clock } = history(
    [
      { session: 1, days: 400 },
      { session: 2, days: null },
    ],
    { days: 365, bytes: null },
  )
  await forgetting.look()
  expect(left()).toEqual(['1', '2'])
  const end = { passed: null, measured: null, problem: null }
  store.runs.end('r_00000002', 'completed', clock.now(), end)
  const looked = forgetting.look()
  // After its first transaction, another run begins.
  store.transaction(() => {
    const one = store.runs.find('r_00000002')
    if (one !== null) store.runs.add({ ...one, id: runId.parse('r_00000003'), startedAt: clock.now() })
  })
  await looked
  expect(left()).toEqual(['1', '2', '3'])
  expect(store.events.ofRun('r_00000001').length).toBeLessThan(300)
  store.runs.end('r_00000003', 'completed', clock.now(), end)
  clock.advance(FORGET_EVERY_MS)
  while (left().includes('1')) await new Promise((resolve) => setImmediate(resolve))
  expect(left()).toEqual(['2', '3'])
})

it('leaves a history of an earlier version whole for two weeks', async () => {
  const data = dataDir()
  const db = new DatabaseSync(join(data, 'expresslane.db'))
  const files = readdirSync(migrations).toSorted().slice(0, 5)
  for (const file of files) db.exec(readFileSync(join(migrations, file), 'utf8'))
  db.exec(`INSERT INTO sessions VALUES ('s_00000001', 'big-tcp-ipv4', 'netns', 1);
    INSERT INTO runs (id, session_id, testbed, lab_id, step_id, state, started_at, ended_at, params, incarnation, owner)
    VALUES ('r_00000001', 's_00000001', 'netns', 'big-tcp-ipv4', 'preflight', 'completed', 1, 1, '{}', 'one', 'gone');
    PRAGMA user_version = 5`)
  db.close()
  const store = openStore(data)
  onTestFinished(() => store.close())
  const begins = store.retention.beginsAt()
  const clock = testClock()
  const logger = { warn: () => {} }
  const forgetting = forgetOldSessions({ store, clock, logger, keep: { days: 365, bytes: null } })
  onTestFinished(() => forgetting.close())
  clock.advance(begins - clock.now() - DAY)
  await forgetting.look()
  expect(store.held().runs).toBe(1)
  clock.advance(2 * DAY)
  await forgetting.look()
  expect(store.held().runs).toBe(0)
})

it('is told to the page', async () => {
  const server = await startServer({ env: { EXPRESSLANE_KEEP_DAYS: '90', EXPRESSLANE_KEEP_MB: '0' } })
  const { keep } = dataResponse.parse(JSON.parse((await server.call('/api/data')).text))
  expect(keep).toEqual({ days: 90, bytes: null, recentDays: 30, beginsAt: 0 })
  const usual = await startServer()
  const { keep: ours } = dataResponse.parse(JSON.parse((await usual.call('/api/data')).text))
  expect(ours).toEqual({ days: 365, bytes: 4e9, recentDays: 30, beginsAt: 0 })
})
