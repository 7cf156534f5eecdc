/** Fake docker, kind, helm and kubectl that record their calls and print a test's answers. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inRoot } from '../base/paths.mjs'

/** The start of a call, such as `kind get clusters`, and its output; a number is an exit code. */
export type Answers = Readonly<Record<string, string | number>>

const program = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs')
const { basename, dirname, join } = require('node:path')
const folder = dirname(process.argv[1])
const call = [basename(process.argv[1]), ...process.argv.slice(2)].join(' ')
const fed = call.includes('-batch -') ? readFileSync(0, 'utf8') : ''
appendFileSync(join(folder, 'calls'), call + '\\n' + fed)
const answers = Object.entries(JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8')))
const found = answers.filter(([begin]) => call.startsWith(begin)).sort(([a], [b]) => b.length - a.length)[0]
const answer = found === undefined ? '' : found[1]
if (typeof answer === 'number') process.exit(answer)
process.stdout.write(answer)
`

export interface Outcome {
  readonly code: number | null
  /** The messages on stderr. */
  readonly said: string
  /** Each call of a program, followed by its input, in order. */
  readonly calls: string[]
}

/** Runs \`npm run cluster -- ARGS\` on a machine that has only these programs. */
export function cluster(args: readonly string[], programs: readonly string[], answers: Answers): Outcome {
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-programs-'))
  try {
    for (const name of programs) {
      writeFileSync(join(folder, name), program)
      chmodSync(join(folder, name), 0o755)
    }
    writeFileSync(join(folder, 'answers.json'), JSON.stringify(answers))
    writeFileSync(join(folder, 'calls'), '')
    const { status, stderr } = spawnSync(process.execPath, [inRoot('scripts', 'run.mjs'), 'cluster', ...args], {
      env: { PATH: folder },
      encoding: 'utf8',
    })
    const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\n').slice(0, -1)
    return { code: status, said: stderr, calls }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
