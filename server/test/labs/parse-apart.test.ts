/** An instructor's own lab files: parsed in another thread, within limits, and again only if they changed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createLabCatalogue } from '../../src/labs/catalogue.ts'
import { createFolderReader, readLabFolder } from '../../src/labs/folder.ts'
import { PARSE_LIMITS, parseWith, parseWorker } from '../../src/labs/parse-apart.ts'
import { parseLab } from '../../src/labs/parse/parse.ts'
import { readLabs } from '../../src/read-labs.ts'
import { systemClock } from '../../src/runs/clock.ts'
import { createTaskWorker } from '../../src/workers/task-worker.ts'
import { good } from './good-lab.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'labs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function opened(limits = PARSE_LIMITS) {
  const worker = createTaskWorker(parseWorker, limits, systemClock)
  onTestFinished(() => worker.close(new Error('closed')))
  return parseWith((task) => worker.run(task))
}

it('gives the labs and problems that the parser in this thread gives', async () => {
  const parse = opened()
  for (const text of [good, good.replace('minutes: 5', 'minutes: x'), 'no lab']) {
    expect(await parse({ id: 'mine', text, name: 'mine.md' })).toEqual(parseLab('mine', text, 'mine.md'))
  }
})

it('reports a file that takes too much', async () => {
  const { labs, problems } = await opened({ ...PARSE_LIMITS, ms: 0 })({ id: 'mine', text: good, name: 'mine.md' })
  expect(labs).toEqual([])
  expect(problems).toEqual([{ file: 'mine.md', line: 1, column: 1, message: expect.stringContaining('too much time') }])
})

it('parses a file again only when its text has changed', async () => {
  const folder = folderWith({ 'a.md': good, 'b.md': good, 'c.md': 'x' })
  const parsed: string[] = []
  const read = createFolderReader(
    async ({ id, text, name }) => {
      parsed.push(id)
      return parseLab(id, text, name)
    },
    () => 0,
  )
  const first = await read(folder)
  writeFileSync(join(folder, 'a.md'), good.replace('Is it faster?', 'Is it slower?'))
  rmSync(join(folder, 'c.md'))
  const second = await read(folder)
  expect(parsed).toEqual(['a', 'b', 'c', 'a'])
  expect(second.files.map(({ name }) => name.split('/')[1])).toEqual(['a.md', 'b.md'])
  expect(second.files[1]?.labs).toBe(first.files[1]?.labs)
})

it('reads no more files of a folder whose files take too long, and reads them at the next change', async () => {
  const folder = folderWith({ 'a.md': good, 'b.md': good, 'c.md': good })
  let now = 0
  const read = createFolderReader(
    async ({ id, text, name }) => {
      now += 20_000
      return parseLab(id, text, name)
    },
    () => now,
  )
  const first = await read(folder)
  expect(first.files.map(({ labs }) => labs.length)).toEqual([2, 2, 0])
  expect(first.files[2]?.problems[0]?.message).toContain('the files before it took more than 30 seconds')
  expect((await read(folder)).files.map(({ labs }) => labs.length)).toEqual([2, 2, 2])
})

it('reads an instructor’s own labs apart from the start, and shipped ones here', async () => {
  const [own, shipped] = [folderWith({ 'own.md': good }), folderWith({ 'shipped.md': good })]
  const folders = [
    { path: shipped, origin: 'shipped', watched: false },
    { path: own, origin: 'own', watched: true },
  ] as const
  const open = async (ms: number) => {
    const labs = await readLabs(folders, systemClock, { ...PARSE_LIMITS, ms })
    onTestFinished(() => labs.close(new Error('closed')))
    return labs.folders.flatMap(({ files }) => files)
  }
  expect((await open(PARSE_LIMITS.ms)).map(({ labs }) => labs.length)).toEqual([2, 2])
  const [ours, theirs] = await open(0)
  expect(ours?.labs).toHaveLength(2)
  expect(theirs?.problems[0]?.message).toContain('too much time')
})

it('keeps the labs as they are until the edited file is parsed', async () => {
  const folder = folderWith({ 'mine.md': good })
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const read = createFolderReader(
    async ({ id, text, name }) => {
      begun.resolve()
      await go.promise
      return parseLab(id, text, name)
    },
    () => 0,
  )
  const folders = [readLabFolder(folder)]
  const catalogue = createLabCatalogue([{ path: folder, origin: 'own', watched: true }], [], { folders, read })
  onTestFinished(() => catalogue.close())
  await catalogue.watching()
  const changed = new Promise<void>((resolve) => void catalogue.subscribe(resolve))
  writeFileSync(join(folder, 'mine.md'), good.replace('Is it faster?', 'Is it slower?'))
  await begun.promise
  expect(catalogue.find('mine-ipv4')?.question).toBe('Is it faster?')
  go.resolve()
  await changed
  expect(catalogue.find('mine-ipv4')?.question).toBe('Is it slower?')
})
