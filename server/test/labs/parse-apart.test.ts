/** Lab files that change while the server runs: parsed elsewhere, within limits, and only if they changed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createLabCatalogue } from '../../src/labs/catalogue.ts'
import { createFolderReader } from '../../src/labs/folder.ts'
import { PARSE_LIMITS, parseWith, parseWorker } from '../../src/labs/parse-apart.ts'
import { parseLab } from '../../src/labs/parse.ts'
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
  const read = createFolderReader(async ({ id, text, name }) => {
    parsed.push(id)
    return parseLab(id, text, name)
  })
  const first = await read(folder)
  writeFileSync(join(folder, 'a.md'), good.replace('Is it faster?', 'Is it slower?'))
  rmSync(join(folder, 'c.md'))
  const second = await read(folder)
  expect(parsed).toEqual(['a', 'b', 'c', 'a'])
  expect(second.files.map(({ name }) => name.split('/')[1])).toEqual(['a.md', 'b.md'])
  expect(second.files[1]?.labs).toBe(first.files[1]?.labs)
})

it('keeps the labs as they are until the edited file is parsed', async () => {
  const folder = folderWith({ 'mine.md': good })
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const catalogue = createLabCatalogue(
    [{ path: folder, origin: 'own', watched: true }],
    [],
    async ({ id, text, name }) => {
      begun.resolve()
      await go.promise
      return parseLab(id, text, name)
    },
  )
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
