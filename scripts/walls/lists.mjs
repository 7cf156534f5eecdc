/**
 * The walls: the permitted imports between modules. The `DEPS.list` of a folder lists the imports of its files besides
 * one another. CONTRIBUTING.md describes the format. Pure.
 */
import { basename, dirname, join } from 'node:path/posix'

/**
 * @typedef {{patterns: readonly string[], lines: string[]}} Section
 * @typedef {ReadonlyMap<string, readonly Section[]>} Lists the sections by folder
 */

const LIST = 'DEPS.list'

/** @param {string} file @param {string} text @returns {Section[]} */
function sectionsOf(file, text) {
  /** @type {Section[]} */
  const sections = []
  for (const raw of text.split('\n')) {
    const line = raw.replace(/(^|\s)#.*$/, '').trim()
    const heading = /^\[(.+)\]$/.exec(line)?.[1]
    if (heading !== undefined) sections.push({ patterns: heading.split(' '), lines: [] })
    else if (line !== '' && sections.length === 0) throw new Error(`${file} begins without a section, such as [*]`)
    else if (line !== '') sections.at(-1)?.lines.push(line)
  }
  return sections
}

/** @param {readonly {file: string, text: string}[]} files all files; their lists are picked @returns {Lists} */
export function readLists(files) {
  const lists = files.filter(({ file }) => basename(file) === LIST)
  return new Map(lists.map(({ file, text }) => [dirname(file), sectionsOf(file, text)]))
}

/** @param {string} file @param {Lists} lists @returns {string | null} the innermost folder with a list */
function listedFolder(file, lists) {
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) if (lists.has(folder)) return folder
  return null
}

/** @param {string} path in the list's folder @param {readonly Section[]} sections */
function sectionFor(path, sections) {
  const is = (/** @type {string} */ pattern) =>
    pattern === '*' || (pattern !== '**' && matches(`./${pattern}`, `./${path}`))
  return sections.find(({ patterns }) => patterns.some(is))
}

/**
 * The files that import one another freely: the files of a folder with a list, or of one of its subfolders where the list
 * has a section for each.
 *
 * @param {string} file @param {Lists} lists @returns {string | null} the folder
 */
function home(file, lists) {
  const folder = listedFolder(file, lists)
  if (folder === null) return null
  const path = file.slice(folder.length + 1)
  return sectionFor(path, lists.get(folder) ?? [])?.patterns.includes('*/') === true
    ? join(folder, path.split('/')[0] ?? '')
    : folder
}

/**
 * @param {string} pattern `zod`, `node:*`, `./` and a file, or a folder that ends with `/`
 * @param {string} target a package's module, or `./` and a file
 */
function matches(pattern, target) {
  if (pattern.startsWith('./') !== target.startsWith('./')) return false
  const glob = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('**', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '.*')
  const end = pattern.endsWith('/') ? '' : pattern.startsWith('./') ? '$' : '(/|$)'
  return new RegExp(`^${glob}${end}`).test(target)
}

/**
 * @param {string} file
 * @param {string} specifier as the file imports it
 * @param {Lists} lists
 * @returns {string | null} the list that refuses the import; null where it is allowed
 */
export function refusedBy(file, specifier, lists) {
  const folder = listedFolder(file, lists)
  if (folder === null) return null
  const path = specifier.startsWith('.') ? join(dirname(file), specifier) : null
  if (path !== null && home(path, lists) === home(file, lists)) return null
  const around = [...lists.keys()].filter((each) => folder.startsWith(`${each}/`)).toSorted()
  const rules = [
    ...[...around, folder].flatMap((each) => linesIn(each, '**', lists)),
    ...(sectionFor(file.slice(folder.length + 1), lists.get(folder) ?? [])?.lines ?? []).map((line) =>
      at(folder, line),
    ),
  ]
  // As in .gitignore the last line that matches decides.
  const last = rules.findLast((rule) => matches(rule.replace(/^!/, ''), path === null ? specifier : `./${path}`))
  return last === undefined || last.startsWith('!') ? join(folder, LIST) : null
}

/** @param {string} folder @param {string} pattern @param {Lists} lists */
function linesIn(folder, pattern, lists) {
  const sections = (lists.get(folder) ?? []).filter(({ patterns }) => patterns.includes(pattern))
  return sections.flatMap(({ lines }) => lines.map((line) => at(folder, line)))
}

/** @param {string} folder @param {string} line @returns {string} with the path from the root, after `./` */
function at(folder, line) {
  const [, not = '', path = ''] = /^(!?)(.*)$/.exec(line) ?? []
  return path.startsWith('.') ? `${not}./${join(folder, path)}` : line
}

/** @param {string} text of a module @returns {string[]} the modules that it imports, types included */
export function importsOf(text) {
  const found = text.matchAll(/(?:^(?:import|export)\b[^'"]*? from |^import |\bimport\()'([^'\n]+)'/gm)
  return [...found].flatMap(([, specifier]) => specifier ?? [])
}

/**
 * @param {readonly {file: string, text: string}[]} files modules and lists
 * @returns {string[]} the imports across a wall
 */
export function acrossWalls(files) {
  const lists = readLists(files)
  return files
    .filter(({ file }) => /\.tsx?$/.test(file))
    .flatMap(({ file, text }) =>
      importsOf(text).flatMap((specifier) => {
        const list = refusedBy(file, specifier, lists)
        return list === null ? [] : [`${file}: ${specifier} is not in ${list}`]
      }),
    )
}
