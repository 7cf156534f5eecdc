/** Reads the labs of one folder. Files that can't be read become problems. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { LabOrigin } from '@expresslane/shared/labs/listed'
import type { LabProblem } from '@expresslane/shared/labs/problem'
import { MAX_LAB_CHARACTERS, parseLab, type OrderedLab, type ParsedLabs } from './parse.ts'

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
  readonly labs: readonly OrderedLab[]
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

/** The id of a file's labs, or how their ids begin. */
function idOf(path: string): string {
  return basename(path, '.md')
}

/** Reads one file. It never throws: errors are returned as problems. @param name the file's name in problems */
export function readLabFile(path: string, name: string): ParsedLabs {
  try {
    const about = statSync(path)
    // Reading a pipe or a device would never end.
    if (!about.isFile()) return { labs: [], problems: [problem(name, 'this is not a file')] }
    if (about.size > 4 * MAX_LAB_CHARACTERS) {
      return { labs: [], problems: [problem(name, `expected at most ${MAX_LAB_CHARACTERS} characters`)] }
    }
    return parseLab(idOf(path), readFileSync(path, 'utf8'), name)
  } catch (error) {
    return { labs: [], problems: [problem(name, `this file can't be read: ${reasonOf(error)}`)] }
  }
}

/** Reads every `*.md` file of a folder except the README, sorted by name. It never throws. */
export function readLabFolder(folder: string): LabFolder {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    return { files: [], problems: [problem(folder, `this folder can't be read: ${reasonOf(error)}`)] }
  }
  const labNames = names
    .filter((name) => name.endsWith('.md') && !name.startsWith('.') && name.toLowerCase() !== 'readme.md')
    .toSorted()
  const files = labNames.slice(0, MAX_FILES).map((file) => {
    const path = join(folder, file)
    const name = join(basename(folder), file)
    return { path, name, ...readLabFile(path, name) }
  })
  const over = labNames.length - files.length
  return {
    files,
    problems: over > 0 ? [problem(folder, `expected at most ${MAX_FILES} labs: ${over} were not read`)] : [],
  }
}
