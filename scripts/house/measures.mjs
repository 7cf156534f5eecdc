/** The measures of the house: how much source there is, and which files know too much. Pure but for reading files. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inRoot, root } from '../base/paths.mjs'
import { acrossWalls } from '../walls/lists.mjs'

/**
 * @typedef {{file: string, text: string, lines: number}} Source
 * @typedef {object} Row
 * @property {string} measure
 * @property {number} value
 * @property {string} [unit]
 * @property {number} bound where the measure is to be
 * @property {number} reached how far it is: a larger value fails
 * @property {readonly string[]} [found] the places behind the value
 */

const SOURCE = ['server/src', 'shared/src', 'web/src']
/** The folders that walls guard. */
const WALLED = [...SOURCE, 'e2e', 'bench']
const SHORT = 15
const LONG_FUNCTION = 100

/** @param {readonly string[]} folders @returns {string[]} tracked files, and new files that are not ignored */
function files(...folders) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', '--', ...folders], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  return listed.split('\n').filter((file) => file !== '' && statSync(inRoot(file), { throwIfNoEntry: false })?.isFile())
}

/** @param {readonly string[]} paths @returns {Source[]} */
function read(paths) {
  return paths.map((file) => {
    const text = readFileSync(inRoot(file), 'utf8')
    return { file, text, lines: text.split('\n').length - 1 }
  })
}

/** The functions with over 100 lines of code, as the linter counts them. @returns {string[]} `FILE:LINE` */
function longFunctions() {
  const folder = mkdtempSync(join(tmpdir(), 'house-'))
  const config = join(folder, 'oxlint.json')
  const rule = ['error', { max: LONG_FUNCTION, skipBlankLines: true, skipComments: true }]
  const text = { plugins: ['eslint'], categories: { correctness: 'off' }, rules: { 'max-lines-per-function': rule } }
  writeFileSync(config, JSON.stringify(text))
  // oxlint exits with 1 if it finds a long function.
  const { stdout, error } = spawnSync(
    inRoot('node_modules', '.bin', 'oxlint'),
    ['--format=unix', '-c', config, ...SOURCE],
    { cwd: root, encoding: 'utf8' },
  )
  rmSync(folder, { recursive: true })
  if (error !== undefined) throw error
  return stdout.split('\n').flatMap((line) => /^(\S+:\d+):\d+: .*max-lines-per-function/.exec(line)?.[1] ?? [])
}

/** A testbed's kind that code branches on: a comparison or a case. */
const kindSwitch =
  /(?:kind\S*|\.data|\.testbed) [=!]== '(?:netns|counted|kubernetes|recording)'|case '(?:netns|counted|kubernetes)'/

/** Files that may know a kind: the id's format and the factory. */
const knowsKinds = ['server/src/testbeds/factory.ts', 'shared/src/testbed/id.ts']

/** An action's kind that code branches on: a comparison or a case. Steps of the same names are no kinds. */
const actionSwitch =
  /(?:kind|Kind) [=!]== '(?:preflight|verify|deploy|measure|compare|experiment|restore)'|case '(?:preflight|verify|deploy|measure|compare|experiment|restore)'/

/** @returns {string[]} the ids and titles of labs and features, as they appear in code */
function ownNames() {
  const features = readdirSync(inRoot('shared', 'src', 'features'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
  const labs = readdirSync(inRoot('labs')).flatMap((name) => {
    const title = /^title: (.+)$/m.exec(readFileSync(inRoot('labs', name), 'utf8'))?.[1]
    return title === undefined || title.includes('$') ? [] : [title]
  })
  return [...features.map((id) => `features/${id}/`), ...features.map((id) => `'${id}'`), ...labs]
}

/** @returns {number} the rows of the table of words */
function glossary() {
  const found = ['docs/words.md', 'README.md'].find((file) => {
    const text = statSync(inRoot(file), { throwIfNoEntry: false }) ? readFileSync(inRoot(file), 'utf8') : ''
    return /^\| word\s+\|/m.test(text)
  })
  if (found === undefined) return 0
  const table = readFileSync(inRoot(found), 'utf8').split(/^\| word\s+\|.*\n/m)[1] ?? ''
  const rows = table.split('\n').slice(1)
  return rows.findIndex((row) => !row.startsWith('|'))
}

/** Rows of tables with padding. The formatter pads tables, so it leaves these pages alone (`.oxfmtrc.json`). @returns {string[]} */
function paddedRows() {
  const pages = read(
    files('README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs', 'server').filter((file) => file.endsWith('.md')),
  )
  return pages.flatMap(({ file, text }) =>
    text.split('\n').flatMap((row, index) => (/^ *\|.*( {2}\||-{4})/.test(row) ? [`${file}:${index + 1}`] : [])),
  )
}

/** @returns {Row[]} */
export function measures() {
  const source = read(files(...SOURCE).filter((file) => /\.(ts|tsx|css)$/.test(file)))
  const code = source.filter(({ file }) => !file.endsWith('.css'))
  const tests = read(files('server', 'web', 'shared', 'bench', 'scripts').filter((file) => /\.test\.tsx?$/.test(file)))
  const short = code.filter(({ lines }) => lines < SHORT).map(({ file }) => file)
  const names = ownNames()
  const naming = code
    .filter(({ file, text }) => file.startsWith('server/src/testbeds/') && names.some((name) => text.includes(name)))
    .map(({ file }) => file)
  const switches = code
    .filter(({ file, text }) => kindSwitch.test(text) && !knowsKinds.includes(file))
    .map(({ file }) => file)
  // The commands of `npm run data` are no actions.
  const actionSwitches = code
    .filter(({ file, text }) => actionSwitch.test(text) && file !== 'server/src/data/arguments.ts')
    .map(({ file }) => file)
  const mocks = tests.filter(({ text }) => text.includes('vi.mock(')).map(({ file }) => file)
  const long = longFunctions()
  const padded = paddedRows()
  const across = acrossWalls(read(files(...WALLED).filter((file) => /\.tsx?$|\/DEPS\.list$/.test(file))))
  return [
    {
      measure: 'lines of source in server, web, shared (TypeScript and CSS)',
      value: source.reduce((all, { lines }) => all + lines, 0),
      bound: 68_000,
      reached: 106_600,
    },
    {
      measure: `functions over ${LONG_FUNCTION} lines of code`,
      value: long.length,
      bound: 0,
      reached: 0,
      found: long,
    },
    { measure: `files under ${SHORT} lines`, value: short.length, bound: 25, reached: 26, found: short },
    { measure: 'words in the glossary', value: glossary(), bound: 30, reached: 30 },
    {
      measure: 'files under server/src/testbeds that name a feature or a lab',
      value: naming.length,
      bound: 0,
      reached: 0,
      found: naming,
    },
    {
      measure: "files that branch on a testbed's kind, outside the factory",
      value: switches.length,
      bound: 0,
      reached: 0,
      found: switches,
    },
    { measure: 'imports across a wall (DEPS.list)', value: across.length, bound: 0, reached: 0, found: across },
    { measure: 'tests that mock a module (vi.mock)', value: mocks.length, bound: 0, reached: 0, found: mocks },
    {
      measure: "files that branch on an action's kind",
      value: actionSwitches.length,
      bound: 0,
      reached: 0,
      found: actionSwitches,
    },
    { measure: 'rows of tables with padding', value: padded.length, bound: 0, reached: 0, found: padded },
    {
      measure: 'README',
      value: Math.ceil(statSync(inRoot('README.md')).size / 100) / 10,
      unit: 'kB',
      bound: 10,
      reached: 10,
    },
  ]
}
