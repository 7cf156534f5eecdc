/** Which thread copies the write-ahead log: the database's own file, read without its log, has what was copied. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { DATABASE } from '../../src/store/file/damaged.ts'
import { openStore } from '../../src/store/open.ts'
import { checkpointApart } from '../../src/store/upkeep/checkpoints.ts'
import { testClock } from '../support/clock.ts'
import { dataDir } from '../support/deps.ts'

/** SQLite's own default would copy the log after 1,000 pages of 4 kB. */
const BYTES = 6_000_000
const countRow = z.object({ found: z.number() })

function setUp() {
  const data = dataDir()
  const store = openStore(data)
  onTestFinished(() => store.close())
  const errors: unknown[] = []
  const checkpoints = checkpointApart(data, testClock(), (error) => errors.push(error), BYTES / 2)
  onTestFinished(() => checkpoints.close())
  const other = new DatabaseSync(join(data, DATABASE))
  onTestFinished(() => other.close())
  other.exec('CREATE TABLE filling (text TEXT); PRAGMA wal_autocheckpoint = 0')
  const insert = other.prepare('INSERT INTO filling VALUES (?)')
  return {
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

it('is not copied by the thread that writes, but by a worker', async () => {
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
