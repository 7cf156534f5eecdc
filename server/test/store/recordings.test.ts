/** Imported files in parts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { formatRecording } from '@expresslane/shared/recordings/recording'
import { epochMs } from '@expresslane/shared/base/units'
import { expect, it, onTestFinished } from 'vitest'
import { readRecording } from '@expresslane/shared/recordings/file/check'
import { viewOf } from '@expresslane/shared/recordings/file/outline'
import { openStore } from '../../src/store/open.ts'
import { dataDir } from '../support/deps.ts'
import { aRecording, aRun, progress } from '../support/runs/recordings.ts'

const events = Array.from({ length: 8_000 }, (_, line) => [line, progress(`Zeile ${line}: 三 µs`)] as const)
const bytes = Buffer.from(formatRecording(aRecording([aRun('baseline', events)])))
const { outline } = readRecording(bytes)
const view = viewOf(outline, 'imported-1', false)
const now = epochMs.parse(Date.now())

function openAt(data: string) {
  const store = openStore(data)
  onTestFinished(() => store.close())
  return store
}

it('keeps a file byte by byte, and reads any part of it', async () => {
  const { recordings } = openAt(dataDir())
  await recordings.add(view, JSON.stringify(outline), bytes, now)
  expect(recordings.size(view.id)).toBe(bytes.length)
  for (const [from, to] of [
    [0, 10],
    [65_530, 65_545],
    [65_536, 131_072],
    [100, bytes.length],
  ] as const) {
    expect(recordings.read(view.id, from, to).equals(bytes.subarray(from, to))).toBe(true)
  }
  expect(recordings.outline(view.id)).toBe(JSON.stringify(outline))
})

it('puts another form of a file in its place, and no part of the former is left', async () => {
  const { recordings } = openAt(dataDir())
  await recordings.add(view, 'null', bytes, now)
  recordings.replace(view.id, JSON.stringify(outline), bytes.subarray(0, 70_000))
  expect(recordings.size(view.id)).toBe(70_000)
  expect(recordings.read(view.id, 0, bytes.length).equals(bytes.subarray(0, 70_000))).toBe(true)
  expect(recordings.outline(view.id)).toBe(JSON.stringify(outline))
})

it('lets others have a turn between the parts, and lists the file when it is whole', async () => {
  const { recordings } = openAt(dataDir())
  let turns = 0
  let over = false
  const look = (): void => {
    turns += 1
    if (over) return
    expect(recordings.all()).toEqual([])
    expect(recordings.size(view.id)).toBeNull()
    setImmediate(look)
  }
  setImmediate(look)
  const added = recordings.add(view, JSON.stringify(outline), bytes, now)
  await added
  over = true
  expect(turns).toBeGreaterThanOrEqual(Math.floor(bytes.length / (64 * 1024)))
  expect(recordings.all()).toEqual([view])
})

it('forgets what a process that ended left behind, and takes the file again', async () => {
  const data = dataDir()
  const { recordings } = openAt(data)
  const db = new DatabaseSync(join(data, 'expresslane.db'))
  onTestFinished(() => db.close())
  await recordings.add(view, 'null', bytes, now)
  db.exec('UPDATE recordings SET complete = 0')
  await recordings.add(view, 'null', bytes, now)
  expect(recordings.all()).toEqual([view])
  db.exec('UPDATE recordings SET complete = 0, imported_at = imported_at - 3700000')
  openAt(data)
  expect(db.prepare('SELECT count(*) AS left FROM recording_parts').get()).toEqual({ left: 0 })
})

it('keeps the files of an earlier version, byte by byte', () => {
  const data = dataDir()
  const folder = join(import.meta.dirname, '../../src/store/migrations')
  const before = readdirSync(folder)
    .toSorted()
    .filter((name) => name < '0015')
  const db = new DatabaseSync(join(data, 'expresslane.db'))
  db.function('testbed_id', (kind, context) => `${String(kind)}:${String(context)}`)
  for (const name of before) db.exec(readFileSync(join(folder, name), 'utf8'))
  db.exec(`PRAGMA user_version = ${before.length}`)
  const insert = db.prepare('INSERT INTO recordings (id, view, text, imported_at) VALUES (?, ?, ?, ?)')
  insert.run(view.id, JSON.stringify(view), bytes.toString(), now)
  insert.run('imported-2', JSON.stringify({ ...view, id: 'imported-2' }), '{}', now)
  db.close()
  const { recordings } = openAt(data)
  expect(recordings.size(view.id)).toBe(bytes.length)
  expect(recordings.read(view.id, 0, bytes.length).equals(bytes)).toBe(true)
  expect(recordings.read('imported-2', 0, 2).toString()).toBe('{}')
  expect(recordings.outline(view.id)).toBeNull()
  expect(recordings.all()).toHaveLength(2)
})
