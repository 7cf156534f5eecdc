/** The server's labs: the shipped labs, and an instructor's own. */
import { createHash } from 'node:crypto'
import { watch } from 'chokidar'
import type { GlossaryTerm } from '@expresslane/shared/labs/glossary'
import type { Lab, ListedLab } from '@expresslane/shared/labs/lab'
import type { LabProblem } from '@expresslane/shared/labs/problem'
import {
  createFolderReader,
  readLabFolder,
  type LabFile,
  type LabFolder,
  type LabFolderConfig,
  type ReadFolder,
} from './folder.ts'
import { parseLab, type OrderedLab } from './parse/parse.ts'
import { readTranslations, type Translations } from './translations.ts'

export interface LabCatalogue {
  /** In the order of the catalogue. @param language two letters; labs without a translation are in their own */
  all(language?: string | null): readonly ListedLab[]
  find(id: string): Lab | undefined
  /** The terms of all glossaries. Of two with the same name, the latter counts: it can be an instructor's own. */
  glossary(language?: string | null): readonly GlossaryTerm[]
  /** The languages that there are files in, besides the labs' own. */
  languages(): ReadonlySet<string>
  /** Problems of files and folders. */
  problems(): readonly LabProblem[]
  /** Increases with each change. */
  revision(): number
  /** Resolves when changes are being watched. */
  watching(): Promise<void>
  subscribe(listener: () => void): () => void
  close(): Promise<void>
}

/** Another lab has another digest, and so has another edition of the same lab. */
export function digestOf(lab: Lab): string {
  return createHash('sha256').update(JSON.stringify(lab)).digest('hex').slice(0, 24)
}

/** An editor writes a file in several steps. */
const SETTLE_MS = 100

interface Read {
  readonly labs: readonly ListedLab[]
  readonly translations: Translations
  readonly problems: readonly LabProblem[]
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** The terms in a language, behind those without one: of two with the same name, the latter counts. */
function termsIn(folders: readonly LabFolder[], language: string | null): GlossaryTerm[] {
  const files = folders.flatMap((folder) => folder.files)
  const of = (wanted: string | null) => files.filter((file) => file.language === wanted)
  const chosen = language === null ? of(null) : [...of(null), ...of(language)]
  return chosen.flatMap(({ terms = [] }) => terms)
}

/** A file that was not parsed again has the same lists. */
function sameFile(a: LabFile, b: LabFile | undefined): boolean {
  return a.path === b?.path && same(a.labs, b.labs) && same(a.terms, b.terms) && same(a.problems, b.problems)
}

function sameFolder(a: LabFolder, b: LabFolder | undefined): boolean {
  const files = b?.files ?? []
  return (
    a.files.length === files.length &&
    a.files.every((file, at) => sameFile(file, files[at])) &&
    same(a.problems, b?.problems)
  )
}

/** Folders that were read before the catalogue is made. */
export interface FirstRead {
  /** In the order of the catalogue's. */
  readonly folders: readonly LabFolder[]
  /** Reads one of them again. */
  readonly read: ReadFolder
}

/** Reads in this thread. */
function readHere(folders: readonly LabFolderConfig[]): FirstRead {
  const read = createFolderReader(
    async ({ id, text, name }) => parseLab(id, text, name),
    () => performance.now(),
  )
  return { folders: folders.map(({ path }) => readLabFolder(path)), read }
}

/** Calls back when a file of a watched folder changes. */
function watching(
  folders: readonly LabFolderConfig[],
  changed: () => void,
): { readonly ready: Promise<void>; close(): Promise<void> } {
  const watched = folders.filter((folder) => folder.watched).map(({ path }) => path)
  if (watched.length === 0) return { ready: Promise.resolve(), close: async () => {} }
  const watcher = watch(watched, { depth: 0, ignoreInitial: true, persistent: false })
    .on('all', changed)
    // A folder that can't be watched can't be read either: reading it again adds its problem to the catalogue's.
    .on('error', changed)
  const ready = new Promise<void>((resolve) => watcher.once('ready', () => resolve()))
  return { ready, close: () => watcher.close() }
}

/**
 * Has the labs of the folders, and reads watched folders again when they change. If a valid file becomes invalid, its
 * last valid labs are kept next to its problems, so that their sessions can continue.
 *
 * @param builtIn labs that do not come from files
 * @param first an earlier reading of the folders; without it, they are read in this thread
 */
export function createLabCatalogue(
  folders: readonly LabFolderConfig[],
  builtIn: readonly Lab[],
  first: FirstRead = readHere(folders),
): LabCatalogue {
  const listeners = new Set<() => void>()
  let kept = new Map<string, readonly OrderedLab[]>()
  let known = first.folders
  let now = compose()
  let revision = 0
  let timer: NodeJS.Timeout | null = null
  let reading: Promise<void> = Promise.resolve()
  let due = false
  let closed = false

  function labsOf(file: LabFile): readonly OrderedLab[] {
    return file.problems.length === 0 ? file.labs : (kept.get(file.path) ?? [])
  }

  function compose(): Read {
    const problems: LabProblem[] = []
    const owners = new Map(builtIn.map(({ id }) => [id, 'Expresslane itself']))
    const next = new Map<string, readonly OrderedLab[]>()
    const groups = folders.map(({ origin }, at) => {
      const folder = known[at] ?? { files: [], problems: [] }
      for (const one of folder.problems) problems.push(one)
      return folder.files.flatMap((file) => {
        for (const one of file.problems) problems.push(one)
        const labs = labsOf(file)
        next.set(file.path, labs)
        if (file.language !== null) return []
        return labs.flatMap(({ lab, order }) => {
          const owner = owners.get(lab.id)
          if (owner !== undefined) {
            const message = `the id "${lab.id}" is taken by ${owner}: expected another file name`
            problems.push({ file: file.name, line: 1, column: 1, message })
            return []
          }
          owners.set(lab.id, file.name)
          return [{ lab: { ...lab, origin, file: file.name }, order: order ?? Number.POSITIVE_INFINITY }]
        })
      })
    })
    kept = next
    // Sorted within each folder, so that shipped labs stay first.
    const labs = groups.flatMap((group) => group.toSorted((a, b) => a.order - b.order).map(({ lab }) => lab))
    const files = known.flatMap((folder) => folder.files.map((file) => ({ ...file, labs: labsOf(file) })))
    const translations = readTranslations(files, labs)
    return {
      labs: [...labs, ...builtIn.map((lab) => ({ ...lab, origin: 'shipped' as const, file: null }))],
      translations,
      problems: [...problems, ...translations.problems],
    }
  }

  /** Reads until nothing has changed meanwhile. */
  async function reread(): Promise<void> {
    while (due) {
      due = false
      const read: LabFolder[] = []
      for (const [at, { path, watched }] of folders.entries()) {
        const before = known[at]
        read.push(watched || before === undefined ? await first.read(path) : before)
      }
      if (closed) return
      const changed = read.some((folder, at) => !sameFolder(folder, known[at]))
      if (!changed) continue
      known = read
      now = compose()
      revision += 1
      for (const listener of listeners) listener()
    }
  }

  function readSoon(): void {
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(() => {
      timer = null
      due = true
      // Files and folders that can't be read are problems of the catalogue.
      reading = reading.then(reread)
    }, SETTLE_MS)
  }

  const watcher = watching(folders, readSoon)

  return {
    all: (language = null) => now.translations.in(now.labs, language),
    find: (id) => now.labs.find((lab) => lab.id === id),
    glossary: (language = null) => termsIn(known, language),
    languages: () => new Set(known.flatMap(({ files }) => files.flatMap(({ language }) => language ?? []))),
    problems: () => now.problems,
    revision: () => revision,
    watching: () => watcher.ready,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      await watcher.close()
    },
  }
}
