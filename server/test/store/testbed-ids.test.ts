/** A database from before testbeds had ids: its rows name the testbed of each session afterwards. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { runId, sessionId } from '@expresslane/shared/run/events'
import { testbedId } from '@expresslane/shared/testbed/id'
import { expect, it, onTestFinished } from 'vitest'
import { openStore, type Store } from '../../src/store/open.ts'
import { dataDir } from '../support/deps.ts'
import { bigTcp } from '../support/runs/settings.ts'

const migrations = join(import.meta.dirname, '../../src/store/migrations')
const BEFORE = 5
const setting = '{"ipv4":true,"ipv6":false}'

/** @param rows SQL that fills a database of the version before */
function upgraded(rows: string): Store {
  const data = dataDir()
  const db = new DatabaseSync(join(data, 'expresslane.db'))
  for (const file of readdirSync(migrations).toSorted().slice(0, BEFORE)) {
    db.exec(readFileSync(join(migrations, file), 'utf8'))
  }
  db.exec(rows)
  db.exec(`PRAGMA user_version = ${BEFORE}`)
  db.close()
  const store = openStore(data)
  onTestFinished(() => store.close())
  return store
}

const session = (id: string, testbed: string): string =>
  `INSERT INTO sessions VALUES ('s_0000000${id}', 'big-tcp-ipv4', '${testbed}', ${id});`

const run = (id: string, of: string, testbed: string, incarnation: string): string =>
  `INSERT INTO runs (id, session_id, testbed, lab_id, step_id, state, started_at, ended_at, params, incarnation, owner)
   VALUES ('r_0000000${id}', 's_0000000${of}', '${testbed}', 'big-tcp-ipv4', 'preflight', 'completed', ${id}, ${id}, '{}',
   '${incarnation}', 'gone');`

const facts = (of: string, context: string): string =>
  `INSERT INTO events (run_id, at, event) VALUES ('r_0000000${of}', 1,
   '{"type":"facts.read","facts":{"kind":"kubernetes","cluster":{"context":"${context}"}}}');`

it('names each session’s testbed: by its readings, by its recording, or by the chosen context', () => {
  const store = upgraded(`
    INSERT INTO contexts VALUES ('kubernetes', 'kind-kind'), ('recording', 'big-tcp-ipv6');
    ${session('1', 'netns')} ${run('1', '1', 'netns', 'netns-1')}
    ${session('2', 'kubernetes')} ${run('2', '2', 'kubernetes', 'far-1')} ${facts('2', 'admin@far')}
    ${session('3', 'kubernetes')} ${run('3', '3', 'kubernetes', 'kind-1')}
    ${session('4', 'recording')} ${run('4', '4', 'recording', 'recording-big-tcp-ipv4')}
    ${session('5', 'recording')}
    INSERT INTO snapshots VALUES ('netns', 'netns-1', '${setting}', 1), ('kubernetes', 'far-1', '${setting}', 1),
      ('kubernetes', 'unknown', '${setting}', 1);
  `)
  const expected = [
    ['1', 'netns'],
    ['2', 'kubernetes:admin~40far'],
    ['3', 'kubernetes:kind-kind'],
    ['4', 'recording:big-tcp-ipv4'],
    ['5', 'recording:big-tcp-ipv6'],
  ] as const
  for (const [id, testbed] of expected) {
    expect(store.sessions.find(sessionId.parse(`s_0000000${id}`))?.testbed).toBe(testbed)
    if (id !== '5') expect(store.runs.find(runId.parse(`r_0000000${id}`))?.testbed).toBe(testbed)
  }
  const kept = [
    ['netns', 'netns-1'],
    ['kubernetes:admin~40far', 'far-1'],
    ['kubernetes:kind-kind', 'unknown'],
  ] as const
  for (const [testbed, incarnation] of kept) {
    expect(store.snapshots.read(testbedId.parse(testbed), incarnation)).toEqual(
      bigTcp({ ipv4: true, ipv6: false, limit: null, mtu: null }),
    )
  }
  expect([store.contexts.latest('kubernetes'), store.contexts.latest('recording')]).toEqual([
    'kind-kind',
    'big-tcp-ipv6',
  ])
})

it('leaves a cluster without a context if none was chosen', () => {
  const store = upgraded(`${session('1', 'kubernetes')} ${run('1', '1', 'kubernetes', 'one')}`)
  expect(store.sessions.find(sessionId.parse('s_00000001'))?.testbed).toBe('kubernetes')
  expect(store.runs.find(runId.parse('r_00000001'))?.testbed).toBe('kubernetes')
})

it('reads a profile with separate fields for BIG TCP, limit and MTU', () => {
  const plan = {
    arms: [{ id: 'on', label: 'On', bigTcp: true, limit: 131_072, mtu: null }],
    cases: [
      { id: 'one', label: 'One', family: 'ipv6', benchmark: { tool: 'iperf3', omitSeconds: 1, intervalSeconds: 1 } },
    ],
    design: { order: 'auto', repeats: 4, seconds: 1, warmups: 0, budget: null },
  }
  const store = upgraded(`INSERT INTO profiles VALUES ('old', '${JSON.stringify(plan)}', 1);`)
  const [profile] = store.profiles.all()
  expect(profile?.plan.arms[0]?.settings).toEqual(bigTcp({ ipv6: true, limit: 131_072, mtu: null }))
})
