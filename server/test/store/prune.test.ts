/** Pruning takes whole runs that have ended, and the database lets nothing else be deleted. */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { runId, sessionId, type RunEvent, type RunId } from '@expresslane/shared/run/events'
import { epochMs } from '@expresslane/shared/base/units'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRunLog } from '../../src/runs/log/run-log.ts'
import { openStore } from '../../src/store/open.ts'
import { connect } from '../../src/store/upkeep/connect.ts'
import { prune, runsToPrune, type PruneWish } from '../../src/store/upkeep/prune.ts'
import { testClock } from '../support/clock.ts'
import { dataDir } from '../support/deps.ts'

const at = (ms: number) => epochMs.parse(ms)
const event: RunEvent = { type: 'progress', subject: null, message: 'one', done: 1, total: 2 }
const NOTHING = { passed: null, measured: null, problem: null }

interface Made {
  readonly session: string
  /** In milliseconds; null while it runs. */
  readonly ended: number | null
  readonly events?: number
}

/** Runs r_00000001, r_00000002, ... in this order. */
function history(runs: readonly Made[]) {
  const dir = dataDir()
  const store = openStore(dir)
  onTestFinished(() => store.close())
  runs.forEach(({ session, ended, events = 1 }, index) => {
    const id = runId.parse(`r_${String(index + 1).padStart(8, '0')}`)
    const owner = sessionId.parse(session)
    if (store.sessions.find(session) === null) {
      store.sessions.add({
        id: owner,
        labId: 'big-tcp-ipv4',
        testbed: thisMachine,
        owner: 'owner',
        createdAt: at(ended ?? 1),
      })
    }
    store.transaction(() => {
      store.runs.add({
        id,
        sessionId: owner,
        testbed: thisMachine,
        labId: 'big-tcp-ipv4',
        stepId: 'baseline',
        startedAt: at(index),
        params: {},
        incarnation: 'one',
        solveTo: null,
        owner: store.owner,
        queuedAt: null,
        person: 'owner',
        needs: { own: `testbed:${thisMachine}`, shared: [] },
        remaining: [],
      })
      for (let count = 0; count < events; count += 1) store.events.append(id, at(index), event)
    })
    if (ended !== null) store.runs.end(id, 'completed', at(ended), NOTHING)
  })
  const db = connect(dir)
  onTestFinished(() => db.close())
  return { dir, store, db }
}

const [ONE, TWO, THREE] = ['s_00000001', 's_00000002', 's_00000003'] as const
const several: readonly Made[] = [
  { session: ONE, ended: 10 },
  { session: ONE, ended: 20 },
  { session: TWO, ended: 30 },
  { session: TWO, ended: 40 },
  { session: THREE, ended: null },
]
const numbers = (ids: readonly RunId[]): number[] => ids.map((id) => Number(id.slice(2)))
const noPause = (): Promise<void> => Promise.resolve()

describe('pruning', () => {
  it.each<[string, PruneWish, number[]]>([
    ['by age', { by: 'age', before: at(30) }, [1, 2]],
    ['by age, nothing', { by: 'age', before: at(5) }, []],
    ['by count', { by: 'count', keep: 1 }, [1, 2, 3]],
    ['by count, all that have ended', { by: 'count', keep: 0 }, [1, 2, 3, 4]],
    ['by session', { by: 'session', sessionId: TWO }, [3, 4]],
  ])('%s takes those runs, their events and empty sessions', async (_how, wish, gone) => {
    const { store, db } = history(several)
    expect(numbers(runsToPrune(db, wish))).toEqual(gone)
    const pruned = await prune(db, wish, noPause)
    expect(pruned).toMatchObject({ runs: gone.length, events: gone.length })
    const left = [1, 2, 3, 4, 5].filter((one) => !gone.includes(one))
    expect(numbers(store.runs.page({ limit: 50 }).map(({ id }) => id)).toSorted((a, b) => a - b)).toEqual(left)
    expect(numbers(store.events.since(0, 50).map((one) => one.runId))).toEqual(left)
    const sessions = [ONE, ONE, TWO, TWO, THREE]
    const kept = [...new Set(left.map((one) => sessions[one - 1]))]
    expect(
      store.sessions
        .all()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(kept)
  })

  it('refuses a session with a run that goes on, and one that does not exist', async () => {
    const { db, store } = history(several)
    const busy = prune(db, { by: 'session', sessionId: THREE }, noPause)
    await expect(busy).rejects.toMatchObject({ code: 'testbed_busy' })
    const none = prune(db, { by: 'session', sessionId: 's_99999999' }, noPause)
    await expect(none).rejects.toMatchObject({ code: 'not_found' })
    expect(store.events.lastSeq()).toBe(5)
  })

  it('keeps a session that is presented, and one that was opened lately', async () => {
    const { db, store } = history(several)
    store.presentations.keep({
      sessionId: sessionId.parse(ONE),
      stepId: 'baseline',
      startedAt: at(1),
      stepSince: at(1),
      blank: false,
      pathWide: false,
      autopilot: false,
      pace: 1,
    })
    store.sessions.add({
      id: sessionId.parse('s_00000004'),
      labId: 'big-tcp-ipv4',
      testbed: thisMachine,
      owner: 'owner',
      createdAt: at(100),
    })
    await prune(db, { by: 'age', before: at(50) }, noPause)
    expect(
      store.sessions
        .all()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([ONE, THREE, 's_00000004'])
    expect(store.presentations.read()).not.toBeNull()
  })

  it('deletes a long run in short transactions, and lets others write in between', async () => {
    const { db, store } = history([
      { session: ONE, ended: 10, events: 9000 },
      { session: TWO, ended: null },
    ])
    let pauses = 0
    const pruned = await prune(db, { by: 'age', before: at(50) }, () => {
      pauses += 1
      expect(store.isFree()).toBe(true)
      store.events.append('r_00000002', at(60), event)
      return Promise.resolve()
    })
    expect(pruned).toEqual({ runs: 1, events: 9000, sessions: 1 })
    expect(pauses).toBe(5)
    expect(store.events.ofRun('r_00000002')).toHaveLength(6)
  })

  it('leaves the beginning of a run if it is interrupted, and goes on next time', async () => {
    const { db, store } = history([
      { session: ONE, ended: 10, events: 5000 },
      { session: TWO, ended: 90 },
    ])
    const broken = prune(db, { by: 'age', before: at(50) }, () => Promise.reject(new Error('killed')))
    await expect(broken).rejects.toThrow('killed')
    expect(store.events.ofRun('r_00000001').map(({ seq }) => seq)).toEqual(
      Array.from({ length: 3000 }, (_, index) => index + 1),
    )
    await prune(db, { by: 'age', before: at(5) }, noPause)
    expect(numbers(store.runs.page({ limit: 50 }).map(({ id }) => id))).toEqual([2])
  })

  it('never uses a number of an event again, also when the latest were pruned', async () => {
    const { dir, db, store } = history([
      { session: ONE, ended: 10, events: 3 },
      { session: ONE, ended: 20, events: 3 },
      { session: TWO, ended: null },
    ])
    await prune(db, { by: 'age', before: at(50) }, noPause)
    store.close()
    const again = openStore(dir)
    onTestFinished(() => again.close())
    expect(again.events.lastSeq()).toBe(7)
    const log = createRunLog(again, testClock(), () => {})
    const heard: number[] = []
    log.subscribe(({ seq }) => heard.push(seq))
    log.append(runId.parse('r_00000003'), event)
    expect(heard).toEqual([8])
  })
})

describe('the log of the kept runs', () => {
  function raw() {
    const { dir } = history([
      { session: ONE, ended: 10, events: 2 },
      { session: TWO, ended: null },
    ])
    const db = new DatabaseSync(join(dir, 'expresslane.db'), { enableForeignKeyConstraints: true })
    onTestFinished(() => db.close())
    return db
  }

  it('stays append-only', () => {
    const db = raw()
    expect(() => db.exec('DELETE FROM events')).toThrow('append-only')
    expect(() => db.exec("UPDATE events SET event = '{}'")).toThrow('append-only')
    db.exec("INSERT INTO pruning (run_id) VALUES ('r_00000001')")
    expect(() => db.exec("UPDATE events SET event = '{}'")).toThrow('append-only')
    expect(() => db.exec("DELETE FROM events WHERE run_id = 'r_00000002'")).toThrow('append-only')
  })

  it('loses no run that goes on, and no part of one', () => {
    const db = raw()
    expect(() => db.exec("INSERT INTO pruning (run_id) VALUES ('r_00000002')")).toThrow('only runs that have ended')
    db.exec("INSERT INTO pruning (run_id) VALUES ('r_00000001')")
    expect(() => db.exec("DELETE FROM runs WHERE id = 'r_00000001'")).toThrow('FOREIGN KEY')
    db.exec("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events WHERE run_id = 'r_00000001')")
    expect(() => db.exec('DELETE FROM pruning')).toThrow('as a whole')
    db.exec("DELETE FROM events WHERE run_id = 'r_00000001'; DELETE FROM runs WHERE id = 'r_00000001'")
    expect(db.prepare('SELECT * FROM pruning').all()).toEqual([])
  })
})
