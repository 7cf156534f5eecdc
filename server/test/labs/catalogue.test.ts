import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bench } from '../../src/labs/bench.ts'
import { createLabCatalogue, type LabCatalogue } from '../../src/labs/catalogue.ts'
import type { LabFolderConfig } from '../../src/labs/folder.ts'
import { good } from './good-lab.ts'

function makeFolder(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'labs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

function open(...folders: LabFolderConfig[]): LabCatalogue {
  const catalogue = createLabCatalogue(folders, [bench])
  onTestFinished(() => catalogue.close())
  return catalogue
}

function own(path: string): LabFolderConfig {
  return { path, origin: 'own', watched: true }
}

function shipped(path: string): LabFolderConfig {
  return { path, origin: 'shipped', watched: false }
}

function ids(catalogue: LabCatalogue): string[] {
  return catalogue.all().map(({ id }) => id)
}

/** Resolves with the next change of the labs. */
function changed(catalogue: LabCatalogue): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const off = catalogue.subscribe(() => {
    off()
    resolve()
  })
  return promise
}

describe('createLabCatalogue', () => {
  it('lists shipped labs by their order, then own labs marked as such, then built-in labs', () => {
    const catalogue = open(
      shipped(makeFolder({ 'b.md': good, 'a.md': good.replace('order: 3\n', ''), 'README.md': 'x', 'notes.txt': 'x' })),
      own(makeFolder({ 'c.md': good })),
    )
    expect(ids(catalogue)).toEqual(['b-ipv4', 'b-ipv6', 'a-ipv4', 'a-ipv6', 'c-ipv4', 'c-ipv6', 'bench'])
    expect(catalogue.all().map(({ origin }) => origin)).toEqual([
      ...Array<string>(4).fill('shipped'),
      'own',
      'own',
      'shipped',
    ])
    expect(catalogue.all()[4]?.file).toMatch(/^labs-\w+\/c\.md$/)
    expect(catalogue.find('c-ipv6')?.title).toBe('Requests over IPv6')
    expect(catalogue.problems()).toEqual([])
  })

  it('lists a broken file with its error, next to valid files', () => {
    const catalogue = open(own(makeFolder({ 'bad.md': good.replace('minutes', 'minuets'), 'fine.md': good })))
    expect(ids(catalogue)).toEqual(['fine-ipv4', 'fine-ipv6', 'bench'])
    expect(catalogue.problems()[0]).toMatchObject({ line: 2, message: expect.stringContaining('"minutes" is missing') })
    expect(catalogue.problems()[0]?.file).toMatch(/\/bad\.md$/)
  })

  it('reports a missing folder, a folder named like a lab, and an id that is in use', () => {
    const folder = makeFolder({ 'mine.md': good })
    mkdirSync(join(folder, 'folder.md'))
    const other = makeFolder({ 'mine.md': good, 'bench.md': good.replace(/^variants:\n(?: {2}.*\n)+/m, bare) })
    const catalogue = open(own(folder), own(other), own('/nowhere/at/all'))
    expect(ids(catalogue)).toEqual(['mine-ipv4', 'mine-ipv6', 'bench'])
    expect(catalogue.problems().map(({ message }) => message)).toEqual([
      'this is not a file',
      expect.stringContaining('the id "bench" is taken by Expresslane itself'),
      expect.stringMatching(/the id "mine-ipv4" is taken by labs-\w+\/mine\.md/),
      expect.stringMatching(/the id "mine-ipv6" is taken by/),
      expect.stringContaining("this folder can't be read"),
    ])
  })
})

const bare = 'variables: { variant: ipv4, name: IPv4, peer: 10.0.0.2 }\n'

describe('a folder that is watched', () => {
  it('follows a file that is added, edited, replaced and removed', async () => {
    const folder = makeFolder()
    const catalogue = open(own(folder))
    await catalogue.watching()
    const file = join(folder, 'mine.md')
    async function after(change: () => void): Promise<void> {
      const done = changed(catalogue)
      change()
      await done
    }
    await after(() => writeFileSync(file, good))
    expect(ids(catalogue)).toEqual(['mine-ipv4', 'mine-ipv6', 'bench'])
    await after(() => writeFileSync(file, good.replace('Is it faster?', 'Is it slower?')))
    expect(catalogue.find('mine-ipv4')?.question).toBe('Is it slower?')
    // As editors do: another file takes its place.
    await after(() => {
      writeFileSync(join(folder, 'mine.md~'), good)
      renameSync(join(folder, 'mine.md~'), file)
    })
    expect(catalogue.find('mine-ipv4')?.question).toBe('Is it faster?')
    const { length } = ids(catalogue)
    await after(() => writeFileSync(file, good.replace('minutes: 5', 'minutes: x')))
    expect(catalogue.problems()).toHaveLength(1)
    // A session of it goes on with what it was.
    expect(ids(catalogue)).toHaveLength(length)
    await after(() => rmSync(file))
    expect(ids(catalogue)).toEqual(['bench'])
    expect(catalogue.problems()).toEqual([])
    expect(catalogue.revision()).toBe(5)
  })

  it('is read once it appears', async () => {
    const folder = join(makeFolder(), 'later')
    const catalogue = open(own(folder))
    await catalogue.watching()
    expect(catalogue.problems()).toHaveLength(1)
    const done = changed(catalogue)
    mkdirSync(folder)
    writeFileSync(join(folder, 'mine.md'), good)
    await done
    if (ids(catalogue).length === 1) await changed(catalogue)
    expect(ids(catalogue)).toContain('mine-ipv4')
    expect(catalogue.problems()).toEqual([])
  })

  it('does not notify if no lab has changed', async () => {
    const folder = makeFolder({ 'mine.md': good })
    const catalogue = open(own(folder))
    await catalogue.watching()
    const done = changed(catalogue)
    writeFileSync(join(folder, 'notes.txt'), 'x')
    writeFileSync(join(folder, 'mine.md'), good)
    // The next change is the first that is noticed.
    writeFileSync(join(folder, 'other.md'), good)
    await done
    expect(catalogue.revision()).toBe(1)
  })
})

describe('translations', () => {
  const german = good
    .replace('title: Requests over ${name}', 'title: Anfragen über ${name}')
    .replace('Is everything here?', 'Ist alles da?')
    .replace('> Follow the remedy,', '> Folgen Sie dem Rat,')
  const titles = (catalogue: LabCatalogue, language?: string) =>
    catalogue.all(language).flatMap(({ id, title }) => (id.startsWith('mine') ? [title] : []))

  it('change the texts of a lab, and other languages have its own', () => {
    const term = '- term: MTU\n  definition: '
    const glossary = { 'glossary.yaml': `${term}Mine.\n`, 'glossary.de.yaml': `${term}Meine.\n` }
    const catalogue = open(own(makeFolder({ 'mine.md': good, 'mine.de.md': german, ...glossary })))
    expect(catalogue.problems()).toEqual([])
    expect(titles(catalogue)).toEqual(['Requests over IPv4', 'Requests over IPv6'])
    expect(titles(catalogue, 'de')).toEqual(['Anfragen über IPv4', 'Anfragen über IPv6'])
    expect(titles(catalogue, 'fr')).toEqual(titles(catalogue))
    const [lab] = catalogue.all('de')
    expect([lab?.file, lab?.origin, lab?.steps[1]?.prose]).toEqual([
      expect.stringMatching(/\/mine\.md$/),
      'own',
      'Ist alles da?',
    ])
    expect(catalogue.find('mine-ipv4')?.title).toBe('Requests over IPv4')
    expect(catalogue.glossary('de').at(-1)?.definition).toBe('Meine.')
    expect(catalogue.glossary().map(({ definition }) => definition)).toEqual(['Mine.'])
    expect([...catalogue.languages()]).toEqual(['de'])
  })

  it.each([
    [
      'another command',
      german.replace('exec pod1 ping', 'exec pod2 ping'),
      'steps.1.commands.0.text of "mine-ipv4" differs',
    ],
    ['another setting', german.replace('big-tcp-${variant}: true', 'big-tcp-${variant}: false'), 'differs from'],
    ['no lab', german, 'there is no lab "other-ipv4" to translate'],
  ])('with %s are problems, and the lab stays as it is', (why, text, message) => {
    const catalogue = open(
      own(makeFolder({ 'mine.md': good, [why === 'no lab' ? 'other.de.md' : 'mine.de.md']: text })),
    )
    expect(catalogue.problems().map((one) => one.message)).toContainEqual(expect.stringContaining(message))
    expect(titles(catalogue, 'de')).toEqual(titles(catalogue))
  })
})
