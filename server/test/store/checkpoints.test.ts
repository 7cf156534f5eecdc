/** The worker's copy of the write-ahead log: the database's own file, read without its log, shows the copied rows. */
import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorBody } from '@expresslane/shared/base/errors'
import { runAccepted, sessionView } from '@expresslane/shared/wire/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { DATABASE } from '../../src/store/file/damaged.ts'
import { openStore } from '../../src/store/open.ts'
import { checkpointApart } from '../../src/store/upkeep/checkpoints.ts'
import { testClock } from '../support/clock.ts'
import { dataDir } from '../support/deps.ts'
import { startServer } from '../support/http/server.ts'

/** SQLite's own default would copy the log after 1,000 pages of 4 kB. */
const BYTES = 6_000_000
const countRow = z.object({ found: z.number() })

function setUp(mostBytes = Number.MAX_SAFE_INTEGER) {
  const data = dataDir()
  const store = openStore(data)
  onTestFinished(() => store.close())
  const errors: unknown[] = []
  const checkpoints = checkpointApart({
    dataDir: data,
    timer: testClock(),
    onError: (error) => errors.push(error),
    mostBytes,
    bytes: BYTES / 2,
  })
  onTestFinished(() => checkpoints.close())
  const other = new DatabaseSync(join(data, DATABASE))
  onTestFinished(() => other.close())
  other.exec('CREATE TABLE filling (text TEXT); PRAGMA wal_autocheckpoint = 0')
  const insert = other.prepare('INSERT INTO filling VALUES (?)')
  return {
    data,
    checkpoints,
    errors,
    write: (): void => {
      insert.run('x'.repeat(BYTES))
      // A commit of the store's own connection: it would copy the log now, if at all.
      store.queue.pause(true)
    },
    /** The rows in the database's file alone. */
    copied(): number {
      const alone = join(dataDir(), 'copy.db')
      copyFileSync(join(data, DATABASE), alone)
      const db = new DatabaseSync(alone)
      try {
        return countRow.parse(db.prepare('SELECT count(*) AS found FROM filling').get()).found
      } catch {
        return 0
      } finally {
        db.close()
      }
    },
  }
}

it('the log is not copied by the thread that writes, but by a worker', async () => {
  const { write, copied, checkpoints, errors } = setUp()
  write()
  expect(copied()).toBe(0)
  await checkpoints.look()
  expect(copied()).toBe(1)
  write()
  expect(copied()).toBe(1)
  await checkpoints.look()
  expect(copied()).toBe(2)
  expect(errors).toEqual([])
})

it('a log that a reader kept large is cut, and is a problem until then', async () => {
  const { write, checkpoints, data, errors } = setUp(2 * BYTES)
  const file = join(data, `${DATABASE}-wal`)
  const reader = new DatabaseSync(join(data, DATABASE))
  onTestFinished(() => reader.close())
  reader.exec('BEGIN; SELECT count(*) FROM filling')
  write()
  await checkpoints.look()
  expect(checkpoints.problem()).toBeNull()
  write()
  write()
  await checkpoints.look()
  expect(statSync(file).size).toBeGreaterThan(2 * BYTES)
  expect(checkpoints.problem()).toMatchObject({
    code: 'data_in_use',
    message: expect.stringContaining('its log has grown to 1'),
    remedyCommand: `fuser -v ${data}/expresslane.db`,
  })
  await checkpoints.look()
  expect(errors).toHaveLength(1)
  reader.exec('ROLLBACK')
  // Nobody writes meanwhile.
  await checkpoints.look()
  expect(statSync(file).size).toBe(0)
  await checkpoints.look()
  expect(checkpoints.problem()).toBeNull()
})

it('a log that a reader keeps lets no run start', async () => {
  const server = await startServer({ clock: testClock(), config: { mostLogBytes: 17_000_000 } })
  const { session } = sessionView.parse(
    JSON.parse(
      (
        await server.call('/api/sessions', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"labId":"big-tcp-ipv4"}',
        })
      ).text,
    ),
  )
  const start = () => server.call(`/api/sessions/${session.id}/steps/preflight/run`, { method: 'POST' })
  const db = new DatabaseSync(join(server.data, DATABASE))
  onTestFinished(() => db.close())
  db.exec('CREATE TABLE filling (text TEXT); PRAGMA wal_autocheckpoint = 0')
  const reader = new DatabaseSync(join(server.data, DATABASE))
  onTestFinished(() => reader.close())
  reader.exec('BEGIN; SELECT count(*) FROM filling')
  db.prepare('INSERT INTO filling VALUES (?)').run('x'.repeat(18_000_000))
  await server.deps.checkpoints.look()
  const refused = await start()
  expect(errorBody.parse(JSON.parse(refused.text)).error.code).toBe('data_in_use')
  reader.exec('ROLLBACK')
  await server.deps.checkpoints.look()
  const accepted = await start()
  expect(accepted.status).toBe(202)
  await server.deps.scheduler.settled(runAccepted.parse(JSON.parse(accepted.text)).runId)
})
