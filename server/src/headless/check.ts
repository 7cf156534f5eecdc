/** `npm run lab -- check FILE...` checks lab files, in an editor or in CI. It only reads. */
import { statSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { formatLabProblem, type LabProblem } from '@expresslane/shared/labs/problem'
import { readLabFile, readLabFolder } from '../labs/folder.ts'
import { readTranslations } from '../labs/translations.ts'

export interface Checked {
  /** `file:line:column: message`, one line per problem, with file names as given. */
  readonly lines: readonly string[]
  /** The number of labs in the files. */
  readonly labs: number
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function checkFile(path: string, name: string): { labs: number; problems: readonly LabProblem[] } {
  if (extname(path) !== '.md' && !/^glossary(\.[a-z]{2})?\.yaml$/.test(basename(path))) {
    const message = `expected a file that ends in .md, found ${basename(path)}`
    return { labs: 0, problems: [{ file: name, line: 1, column: 1, message }] }
  }
  const { labs, problems } = readLabFile(path, name)
  return { labs: labs.length, problems }
}

/**
 * Checks files, and every lab in a folder.
 *
 * @param from the directory that relative names start from
 */
export function checkLabs(names: readonly string[], from: string): Checked {
  const results = names.flatMap((name) => {
    const path = resolve(from, name)
    if (!isFolder(path)) return [checkFile(path, name)]
    const folder = readLabFolder(path)
    const files = folder.files.map((file) => checkFile(file.path, join(name, basename(file.path))))
    const labs = folder.files.flatMap((file) => (file.language === null ? file.labs : []))
    const originals = labs.map(({ lab }) => ({ ...lab, origin: 'own' as const, file: null }))
    const { problems } = readTranslations(folder.files, originals)
    return [{ labs: 0, problems: [...folder.problems, ...problems] }, ...files]
  })
  return {
    lines: results.flatMap(({ problems }) => problems.map(formatLabProblem)),
    labs: results.reduce((sum, { labs }) => sum + labs, 0),
  }
}
