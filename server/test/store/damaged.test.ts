/** A database that is damaged, truncated or no database: it is moved aside as it is, and a new one begun. */
import {
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
  closeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { runId } from '@expresslane/shared/run/events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { keptToken } from '../../src/access/token.ts'
import { createRunLog } from '../../src/runs/log/run-log.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { testClock } from '../support/clock.ts'
import { dataDir } from '../support/deps.ts'
import { start } from '../support/http/process.ts'
import { recordedRun } from '../support/runs/runs.ts'

const RUN = runId.parse('r_00000001')

function open(dir: string): Store {
  const store = openStore(dir)
  onTestFinished(() => store.close())
  return store
}

/** A directory whose database has a run of some 400 kB. */
function filled(): { dir: string; file: string } {
  const dir = dataDir()
  keptToken(dir)
  const store = open(dir)
  const log = createRunLog(store, testClock(), () => {})
  recordedRun(store, log, RUN)
  store.transaction(() => {
    for (let done = 0; done < 1000; done += 1) {
      store.events.append(RUN, testClock().now(), {
        type: 'progress',
        subject: null,
        message: 'x'.repeat(300),
        done,
        total: 1000,
      })
    }
  })
  store.close()
  return { dir, file: join(dir, 'expresslane.db') }
}

/** Writes over the middle of a file. */
function spoil(file: string): void {
  const opened = openSync(file, 'r+')
  const garbage = Buffer.alloc(64 * 1024, 0xa5)
  writeSync(opened, garbage, 0, garbage.length, Math.floor(statSync(file).size / 2))
  closeSync(opened)
}

describe('a database', () => {
  it.each([
    ['truncated to its half', (file: string) => truncateSync(file, statSync(file).size / 2)],
    ['truncated to a few bytes', (file: string) => truncateSync(file, 50)],
    ['truncated to nothing', (file: string) => truncateSync(file, 0)],
    ['overwritten at its start', (file: string) => writeFileSync(file, 'no database at all'.repeat(500))],
  ])('%s is moved aside as it is, and a new one begun', (_how, damage) => {
    const { dir, file } = filled()
    const token = keptToken(dir)
    damage(file)
    const left = readFileSync(file)
    const store = open(dir)
    expect(store.runs.find(RUN)).toBeNull()
    const [aside, ...others] = store.damaged()
    expect(others).toEqual([])
    expect(basename(aside?.file ?? '')).toMatch(/^expresslane\.db\.damaged-\d{8}T\d{6}Z$/)
    expect(readFileSync(aside?.file ?? '').equals(left)).toBe(true)
    expect(aside?.bytes).toBe(left.length)
    expect(Math.abs((aside?.at ?? 0) - Date.now())).toBeLessThan(60_000)
    expect(keptToken(dir)).toBe(token)
    // The new one takes everything: the page must not say otherwise.
    expect(store.problem()).toBeNull()
    store.close()
    // The new one stays, and so does the old one.
    const again = open(dir)
    expect(again.damaged()).toHaveLength(1)
  })

  it('with damage in its middle is found so when that part is read, and moved aside at the next start', () => {
    const { dir, file } = filled()
    spoil(file)
    const store = open(dir)
    expect(store.damaged()).toEqual([])
    expect(() => store.events.ofRun(RUN)).toThrow(
      expect.objectContaining({
        code: 'data_corrupt',
        remedy: expect.stringContaining('moves the damaged file aside'),
      }),
    )
    expect(store.problem()?.code).toBe('data_corrupt')
    store.close()
    const again = open(dir)
    expect(again.damaged()).toHaveLength(1)
    expect(again.problem()).toBeNull()
    expect(again.events.ofRun(RUN)).toEqual([])
  })

  it('under suspicion without a reason stays where it is', () => {
    const { dir } = filled()
    writeFileSync(join(dir, 'expresslane.db.suspect'), '')
    const store = open(dir)
    expect(store.damaged()).toEqual([])
    expect(store.runs.find(RUN)).not.toBeNull()
    expect(readdirSync(dir)).not.toContain('expresslane.db.suspect')
  })

  it('is kept each time, also within one second', () => {
    const { dir, file } = filled()
    for (let times = 0; times < 3; times += 1) {
      truncateSync(file, 50)
      open(dir).close()
    }
    expect(open(dir).damaged()).toHaveLength(3)
  })

  it('is not damaged if it is new and still empty', () => {
    const dir = dataDir()
    writeFileSync(join(dir, 'expresslane.db'), '', { mode: 0o600 })
    expect(open(dir).damaged()).toEqual([])
  })
})

describe('a server with a damaged database', () => {
  it('starts, and says in its log where the file is', async () => {
    const { dir, file } = filled()
    truncateSync(file, 5000)
    const main = start('src/main.ts', { EXPRESSLANE_DATA: dir, LOG_LEVEL: 'warn' })
    expect(await main.firstLine).toContain(`${file}.damaged-`)
  })
})
