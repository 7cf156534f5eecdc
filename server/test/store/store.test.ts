/** The store on a real database in a directory of its own. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LabError } from '@expresslane/shared/base/errors'
import { runId, sessionId, type RunEvent } from '@expresslane/shared/run/events'
import { epochMs } from '@expresslane/shared/base/units'
import { testbedId, thisMachine } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isAlive } from '../../src/store/owner.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { pageQuery, type NewRun } from '../../src/store/runs.ts'
import { dataDir } from '../support/deps.ts'

const SESSION = sessionId.parse('s_00000001')
const at = (ms: number) => epochMs.parse(ms)
const event: RunEvent = { type: 'progress', subject: null, message: 'one', done: 1, total: 2 }
const ended = { passed: true, measured: null, problem: null }

const cluster = testbedId.parse('kubernetes:kind-kind')

function open(dir = dataDir()): Store {
  const store = openStore(dir)
  onTestFinished(() => store.close())
  return store
}

function withSession(dir?: string): Store {
  const store = open(dir)
  store.sessions.add({ id: SESSION, labId: 'big-tcp-ipv4', testbed: thisMachine, owner: 'owner', createdAt: at(1) })
  return store
}

function newRun(id: string, over: Partial<NewRun> = {}): NewRun {
  return {
    id: runId.parse(id),
    sessionId: SESSION,
    testbed: thisMachine,
    labId: 'big-tcp-ipv4',
    stepId: 'baseline',
    startedAt: at(1),
    params: {},
    incarnation: 'one',
    solveTo: null,
    owner: 'nobody',
    queuedAt: null,
    person: SESSION,
    needs: { own: `testbed:${thisMachine}`, shared: [] },
    remaining: [],
    ...over,
  }
}

function problemOf(work: () => unknown): LabError {
  try {
    work()
  } catch (error) {
    if (error instanceof LabError) return error
    throw error
  }
  throw new Error('it did not fail')
}

/** The database by another connection, as another program on this machine opens it. */
function raw(dir: string): DatabaseSync {
  const db = new DatabaseSync(join(dir, 'expresslane.db'))
  onTestFinished(() => db.close())
  return db
}

describe('opening', () => {
  it('makes a directory for its owner alone, and migrates once', () => {
    const dir = join(dataDir(), 'made', 'here')
    open(dir).close()
    expect(statSync(dir).mode & 0o777).toBe(0o700)
    const files = readdirSync(new URL('../../src/store/migrations/', import.meta.url)).length
    expect(raw(dir).prepare('PRAGMA user_version').get()).toEqual({ user_version: files })
    expect(raw(dir).prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    expect(open(dir).events.lastSeq()).toBe(0)
  })

  it('keeps existing data', () => {
    const dir = dataDir()
    withSession(dir).close()
    expect(open(dir).sessions.find(SESSION)).toMatchObject({ labId: 'big-tcp-ipv4' })
  })

  it('refuses data of a newer version', () => {
    const dir = dataDir()
    open(dir).close()
    raw(dir).exec('PRAGMA user_version = 999')
    expect(problemOf(() => openStore(dir))).toMatchObject({ code: 'config_invalid' })
  })

  it('reports data_unwritable with a remedy if it can’t write', () => {
    const file = join(dataDir(), 'file')
    writeFileSync(file, '')
    expect(problemOf(() => openStore(join(file, 'data')))).toMatchObject({
      code: 'data_unwritable',
      remedy: expect.stringContaining('EXPRESSLANE_DATA'),
      remedyCommand: expect.stringContaining('EXPRESSLANE_DATA='),
    })
  })

  it('reports data_unwritable if the database is not a file', () => {
    const folder = dataDir()
    mkdirSync(join(folder, 'expresslane.db'))
    expect(problemOf(() => openStore(folder)).code).toBe('data_unwritable')
  })
})

describe('the event log', () => {
  it('numbers events, and returns those after any number', () => {
    const store = withSession()
    store.runs.add(newRun('r_00000001'))
    const seqs = [1, 2, 3].map((ms) => store.events.append('r_00000001', at(ms), event))
    expect(seqs).toEqual([1, 2, 3])
    expect(store.events.since(1, 1)).toEqual([{ seq: 2, runId: 'r_00000001', at: 2, event }])
    expect(store.events.ofRun('r_00000001').map(({ seq }) => seq)).toEqual([1, 2, 3])
    expect(store.events.lastSeq()).toBe(3)
  })

  it('never changes and never deletes a row', () => {
    const dir = dataDir()
    const store = withSession(dir)
    store.runs.add(newRun('r_00000001'))
    store.events.append('r_00000001', at(1), event)
    const db = raw(dir)
    expect(() => db.exec("UPDATE events SET event = '{}'")).toThrow('append-only')
    expect(() => db.exec('DELETE FROM events')).toThrow('append-only')
    expect(store.events.lastSeq()).toBe(1)
  })

  it('refuses an event of a run that does not exist', () => {
    expect(() => open().events.append('r_00000009', at(1), event)).toThrow('FOREIGN KEY')
  })

  it('reports a record that it can’t read', () => {
    const dir = dataDir()
    const store = withSession(dir)
    store.runs.add(newRun('r_00000001'))
    raw(dir).exec(`INSERT INTO events (run_id, at, event) VALUES ('r_00000001', 1, '{"type":"from-the-future"}')`)
    expect(problemOf(() => store.events.since(0, 1))).toMatchObject({
      code: 'internal',
      detail: expect.stringContaining('event 1'),
    })
  })
})

describe('runs', () => {
  it('gives a resource to one run at a time, in the database itself', () => {
    const dir = dataDir()
    const store = withSession(dir)
    const other = open(dir)
    const [one, two] = [runId.parse('r_00000001'), runId.parse('r_00000002')]
    store.runs.add(newRun(one))
    other.runs.add(newRun(two))
    store.holds.take(one, ['testbed:netns', 'host'])
    // A run keeps a resource that it has already.
    store.holds.take(one, ['host'])
    expect(() => other.holds.take(two, ['host'])).toThrow('UNIQUE')
    other.holds.take(two, ['testbed:netns@alice'])
    expect([...other.holds.all()]).toEqual([
      ['testbed:netns', one],
      ['host', one],
      ['testbed:netns@alice', two],
    ])
    store.holds.release(one)
    other.holds.take(two, ['host'])
    expect(other.holds.of(two)).toEqual(['testbed:netns@alice', 'host'])
  })

  it('starts a queued run once, and not after its end', () => {
    const store = withSession()
    const turn = { stepId: 'deploy', incarnation: 'two', needs: newRun('r_00000001').needs, remaining: ['baseline'] }
    for (const id of ['r_00000001', 'r_00000002']) store.runs.add(newRun(id, { queuedAt: at(1) }))
    expect(store.runs.open().map(({ state }) => state)).toEqual(['queued', 'queued'])
    expect(store.runs.start('r_00000001', at(3), turn)).toBe(true)
    expect(store.runs.start('r_00000001', at(4), turn)).toBe(false)
    expect(store.runs.find('r_00000001')).toMatchObject({ ...turn, state: 'running', startedAt: 3, queuedAt: null })
    expect(store.runs.end('r_00000002', 'cancelled', at(5), ended)).toBe(true)
    expect(store.runs.start('r_00000002', at(6), turn)).toBe(false)
    expect(store.runs.find('r_00000002')).toMatchObject({ state: 'cancelled', queuedAt: 1 })
  })

  it('gives a queued run to one process only', () => {
    const store = withSession()
    store.runs.add(newRun('r_00000001', { queuedAt: at(1), owner: 'gone' }))
    expect(store.runs.adopt('r_00000001', 'gone', 'first')).toBe(true)
    expect(store.runs.adopt('r_00000001', 'gone', 'second')).toBe(false)
    expect(store.runs.find('r_00000001')?.owner).toBe('first')
  })

  it('ends a run once', () => {
    const store = withSession()
    store.runs.add(newRun('r_00000001'))
    expect(store.runs.end('r_00000001', 'cancelled', at(2), ended)).toBe(true)
    expect(store.runs.end('r_00000001', 'completed', at(3), ended)).toBe(false)
    expect(store.runs.find('r_00000001')).toMatchObject({ state: 'cancelled', endedAt: 2, result: ended })
  })

  it.each([
    {},
    { lab: 'big-tcp-ipv4' },
    { state: 'completed' },
    { measured: 'true' },
    { recorded: 'false' },
    { lab: 'big-tcp-ipv4', state: 'failed', measured: 'false' },
    { lab: 'big-tcp-ipv4', state: 'failed', measured: 'false', recorded: 'true' },
  ] as const)('reads a page of the history, %j, from an index and in its order', (filter) => {
    const dir = dataDir()
    open(dir)
    const db = raw(dir)
    for (const before of [{}, { before: runId.parse('r_00000001') }]) {
      const { sql, values } = pageQuery({ ...filter, ...before, limit: 50 })
      const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)
      const plan = steps.map(({ detail }) => String(detail)).join('; ')
      expect(plan).toMatch(/USING INDEX runs_by_/)
      expect(plan).not.toContain('TEMP B-TREE')
    }
  })

  it('knows how long a step took on each kind of testbed', () => {
    const store = withSession()
    const ran = (id: string, testbed: string, seconds: number): void => {
      const run = newRun(id, { testbed: testbedId.parse(testbed), needs: { own: `testbed:${testbed}`, shared: [] } })
      store.runs.add(run)
      store.runs.end(run.id, 'completed', at(1 + seconds * 1000), ended)
    }
    ran('r_00000001', 'netns', 1)
    ran('r_00000002', 'netns@alice', 2)
    ran('r_00000003', 'counted', 30)
    ran('r_00000004', 'counted:gateway@alice', 40)
    ran('r_00000005', 'recording:netns', 5)
    const secondsOf = (kind: TestbedKind) =>
      store.runs.durations('big-tcp-ipv4', 'baseline', kind).map(({ seconds }) => seconds)
    expect(new Set(secondsOf('netns'))).toEqual(new Set([1, 2]))
    expect(new Set(secondsOf('counted'))).toEqual(new Set([30, 40]))
    expect(secondsOf('recording')).toEqual([5])
    expect(secondsOf('kubernetes')).toEqual([])
  })

  it('returns the history newest first, by page and filter', () => {
    const store = withSession()
    const measured = {
      arms: ['off'],
      family: 'ipv4' as const,
      repeats: 1,
      tool: 'tcp-rr',
      values: { tps: 1, packetsPerRequest: null },
    }
    for (const number of [1, 2, 3, 4]) {
      const labId = number % 2 === 0 ? 'big-tcp-ipv6' : 'big-tcp-ipv4'
      // All runs begin in one millisecond: the ids order them.
      store.runs.add(newRun(`r_0000000${number}`, { labId }))
      const state = number === 4 ? 'failed' : 'completed'
      store.runs.end(`r_0000000${number}`, state, at(2), { ...ended, measured: number === 3 ? measured : null })
    }
    const ids = (filter: Partial<Parameters<Store['runs']['page']>[0]>) =>
      store.runs.page({ limit: 50, ...filter }).map(({ id }) => Number(id.slice(2)))
    expect(ids({})).toEqual([4, 3, 2, 1])
    expect(ids({ limit: 2 })).toEqual([4, 3])
    expect(ids({ limit: 2, before: runId.parse('r_00000003') })).toEqual([2, 1])
    expect(ids({ lab: 'big-tcp-ipv6' })).toEqual([4, 2])
    expect(ids({ state: 'failed' })).toEqual([4])
    expect(ids({ measured: 'true' })).toEqual([3])
    expect(ids({ measured: 'false' })).toEqual([4, 2, 1])
  })

  it('lists playbacks of recordings apart from all other runs', () => {
    const store = withSession()
    for (const [number, testbed] of ['netns', 'recording:big-tcp-ipv4', 'kubernetes:recording', 'recording'].entries())
      store.runs.add(newRun(`r_0000000${number}`, { testbed: testbedId.parse(testbed), queuedAt: at(1) }))
    const ids = (recorded: 'true' | 'false') =>
      store.runs.page({ limit: 50, recorded }).map(({ id }) => Number(id.slice(2)))
    expect(ids('false')).toEqual([2, 0])
    expect(ids('true')).toEqual([3, 1])
  })

  it('finds the latest verdict of a session from an index', () => {
    const dir = dataDir()
    const store = withSession(dir)
    const verdict = {
      metric: 'tps',
      verdict: 'improved' as const,
      comparisons: 1,
      improved: 1,
      worse: 0,
      sentence: 's',
    }
    const session = newRun('r_00000001').sessionId
    expect(store.runs.verdictOf(session)).toBeNull()
    for (const number of [1, 2, 3]) {
      store.runs.add(newRun(`r_0000000${number}`))
      const found = number === 3 ? {} : { verdict: { ...verdict, changePercent: number } }
      store.runs.end(`r_0000000${number}`, 'completed', at(2), { ...ended, ...found })
    }
    expect(store.runs.verdictOf(session)).toEqual({ ...verdict, changePercent: 2 })
    const plan = raw(dir)
      .prepare(
        `EXPLAIN QUERY PLAN SELECT summary ->> '$.verdict' AS verdict FROM runs
         WHERE session_id = ? AND summary ->> '$.verdict' IS NOT NULL ORDER BY started_at DESC, id DESC LIMIT 1`,
      )
      .all(session)
    expect(JSON.stringify(plan)).toContain('runs_by_verdict')
    expect(JSON.stringify(plan)).not.toContain('TEMP B-TREE')
  })
})

describe('transactions', () => {
  it('store all of the work, or nothing', () => {
    const store = withSession()
    const work = () =>
      store.transaction(() => {
        store.runs.add(newRun('r_00000001'))
        throw new Error('no')
      })
    expect(work).toThrow('no')
    expect(store.runs.find('r_00000001')).toBeNull()
    store.transaction(() => store.runs.add(newRun('r_00000001')))
    expect(store.runs.find('r_00000001')).not.toBeNull()
  })
})

describe('snapshots', () => {
  it('keep the first setting of an incarnation until they are cleared', () => {
    const { snapshots } = open()
    const off = { 'big-tcp-ipv4': false, 'size-limit': null }
    const on = { 'big-tcp-ipv4': true, 'size-limit': 131_072 }
    snapshots.keep(thisMachine, 'one', off, at(1))
    snapshots.keep(thisMachine, 'one', on, at(2))
    snapshots.keep(thisMachine, 'two', on, at(3))
    expect(snapshots.read(thisMachine, 'one')).toEqual(off)
    expect(snapshots.read(thisMachine, 'two')).toEqual(on)
    snapshots.clear(thisMachine, 'one')
    expect(snapshots.read(thisMachine, 'one')).toBeNull()
    expect(snapshots.read(thisMachine, 'two')).toEqual(on)
    expect(snapshots.read(cluster, 'two')).toBeNull()
  })
})

describe('owners', () => {
  it('distinguish a running process from an ended one, also when its id was reused', () => {
    const { owner } = open()
    expect(isAlive(owner)).toBe(true)
    const [boot, namespace, pid, started] = owner.split(' ')
    expect(isAlive([boot, namespace, pid, '1'].join(' '))).toBe(false)
    expect(isAlive(['another-boot', namespace, pid, started].join(' '))).toBe(false)
    expect(isAlive([boot, 'pid:[1]', pid, started].join(' '))).toBe(false)
    expect(isAlive('')).toBe(false)
  })
})
