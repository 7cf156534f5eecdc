/** Reads the labs of one folder. Files that can't be read become problems. */
import { readdirSync, readFileSync, statSync, type Stats } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { LabOrigin } from '@expresslane/shared/labs/lab'
import type { LabProblem } from '@expresslane/shared/labs/problem'
import type { ParseApart } from './parse-apart.ts'
import { GLOSSARY } from './parse/glossary.ts'
import { MAX_LAB_CHARACTERS, parseLab, type OrderedLab, type ParsedLabs } from './parse/parse.ts'

/** A folder with labs as Markdown. */
export interface LabFolderConfig {
  readonly path: string
  /** `own` for the folders of `EXPRESSLANE_LABS`. */
  readonly origin: LabOrigin
  /** If true, it is read again when a file in it changes. */
  readonly watched: boolean
}

const MAX_FILES = 200

export interface LabFile {
  readonly path: string
  /** The folder's and the file's name, for the page and for problems. */
  readonly name: string
  /** Two letters (ISO 639-1) of `ID.LANGUAGE.md`; null for a lab in its own language. */
  readonly language: string | null
  readonly labs: readonly OrderedLab[]
  readonly terms?: ParsedLabs['terms']
  readonly problems: readonly LabProblem[]
}

export interface LabFolder {
  readonly files: readonly LabFile[]
  /** Problems of the folder itself; empty if it could be read. */
  readonly problems: readonly LabProblem[]
}

function problem(file: string, message: string): LabProblem {
  return { file, line: 1, column: 1, message }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The id of a file's labs, or how their ids begin, and its language. */
function partsOf(path: string): { readonly id: string; readonly language: string | null } {
  const [, name = '', language = null, type = ''] = /^(.+?)(?:\.([a-z]{2}))?\.(md|yaml)$/.exec(basename(path)) ?? []
  return { id: type === 'yaml' ? GLOSSARY : name, language }
}

/** Why a file can't be read at all; null if it can be tried. */
function refusal(about: Stats, name: string): LabProblem | null {
  // Reading a pipe or a device would never end.
  if (!about.isFile()) return problem(name, 'this is not a file')
  return about.size > 4 * MAX_LAB_CHARACTERS ? problem(name, `expected at most ${MAX_LAB_CHARACTERS} characters`) : null
}

function unreadable(name: string, error: unknown): ParsedLabs {
  return { labs: [], problems: [problem(name, `this file can't be read: ${reasonOf(error)}`)] }
}

/** Reads one file. It never throws: errors are returned as problems. @param name the file's name in problems */
export function readLabFile(path: string, name: string): ParsedLabs {
  try {
    const refused = refusal(statSync(path), name)
    if (refused !== null) return { labs: [], problems: [refused] }
    return parseLab(partsOf(path).id, readFileSync(path, 'utf8'), name)
  } catch (error) {
    return unreadable(name, error)
  }
}

interface Listed {
  readonly files: readonly Pick<LabFile, 'path' | 'name' | 'language'>[]
  readonly problems: readonly LabProblem[]
}

/** Whether the server reads a file of a folder: labs and the glossary, but no README. */
function isRead(name: string): boolean {
  return (
    /^glossary(\.[a-z]{2})?\.yaml$/.test(name) ||
    (name.endsWith('.md') && !name.startsWith('.') && name.toLowerCase() !== 'readme.md')
  )
}

function listed(folder: string, names: readonly string[]): Listed {
  const labNames = names.filter(isRead).toSorted()
  const files = labNames.slice(0, MAX_FILES).map((file) => ({
    path: join(folder, file),
    name: join(basename(folder), file),
    language: partsOf(file).language,
  }))
  const over = labNames.length - files.length
  return {
    files,
    problems: over > 0 ? [problem(folder, `expected at most ${MAX_FILES} labs: ${over} were not read`)] : [],
  }
}

function unlisted(folder: string, error: unknown): LabFolder {
  return { files: [], problems: [problem(folder, `this folder can't be read: ${reasonOf(error)}`)] }
}

/** Reads every `*.md` file of a folder except the README, and its glossary, sorted by name, in this thread. It never throws. */
export function readLabFolder(folder: string): LabFolder {
  try {
    const { files, problems } = listed(folder, readdirSync(folder))
    return { files: files.map((file) => ({ ...file, ...readLabFile(file.path, file.name) })), problems }
  } catch (error) {
    return unlisted(folder, error)
  }
}

/** Reads a folder, file by file. It never rejects. */
export type ReadFolder = (folder: string) => Promise<LabFolder>

/** Files take some milliseconds each, hostile files seconds: files after this time are not read. */
const FOLDER_MS = 30_000

/**
 * Reads folders with another parser than this thread's. A file whose text has not changed is not parsed again.
 *
 * @param now milliseconds since any moment
 */
export function createFolderReader(parse: ParseApart, now: () => number): ReadFolder {
  const known = new Map<string, { readonly text: string; readonly parsed: ParsedLabs }>()

  async function readFileApart(path: string, name: string, until: number): Promise<ParsedLabs> {
    try {
      const refused = refusal(await stat(path), name)
      if (refused !== null) return { labs: [], problems: [refused] }
      const text = await readFile(path, 'utf8')
      const before = known.get(path)
      if (before?.text === text) return before.parsed
      if (now() > until) {
        const message = `this file was not read: the files before it took more than ${FOLDER_MS / 1000} seconds`
        return { labs: [], problems: [problem(name, message)] }
      }
      const parsed = await parse({ id: partsOf(path).id, text, name })
      known.set(path, { text, parsed })
      return parsed
    } catch (error) {
      known.delete(path)
      return unreadable(name, error)
    }
  }

  return async (folder) => {
    try {
      const { files, problems } = listed(folder, await readdir(folder))
      const until = now() + FOLDER_MS
      const read: LabFile[] = []
      for (const file of files) read.push({ ...file, ...(await readFileApart(file.path, file.name, until)) })
      const there = new Set(files.map(({ path }) => path))
      for (const path of known.keys()) if (dirname(path) === folder && !there.has(path)) known.delete(path)
      return { files: read, problems }
    } catch (error) {
      return unlisted(folder, error)
    }
  }
}
