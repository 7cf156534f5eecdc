/** The checks before a commit, and the tests: runs each, prints its output if it fails, and adds up the results. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { exitCode, run } from '../base/child.mjs'
import { cache, inRoot, root } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { exitCodeOf, line, ofPlaywright, ofVitest, sum, withExit } from './tally.mjs'

/**
 * @typedef {import('./tally.mjs').Tally} Tally
 * @typedef {import('./test-cluster.mjs').TestCluster} TestCluster
 * @typedef {{node: string, env: NodeJS.ProcessEnv}} Machine
 */

/** Vitest's options that leave out the tests that need lab tools. */
export const unitTests = /** @type {const} */ (['--project=!integration'])

export const lint = /** @type {const} */ (['oxlint', '--type-aware', '--deny-warnings'])

const packages = ['shared', 'server', 'web', 'e2e', 'bench']

/** @type {readonly {name: string, argv: readonly string[]}[]} */
const checks = [
  { name: 'format', argv: ['oxfmt', '--check'] },
  { name: 'lint', argv: lint },
  { name: 'types: scripts', argv: ['tsc', '-p', '.'] },
  ...packages.map((name) => ({ name: `types: ${name}`, argv: ['tsc', '-p', name] })),
  { name: 'dead code', argv: ['knip'] },
]

/**
 * Format, lint, types and dead code; each counts as a test.
 *
 * @param {Machine} machine
 * @returns {Promise<Tally>}
 */
export async function runChecks({ env }) {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  for (const { name, argv } of checks) {
    const [command = '', ...args] = argv
    const begun = performance.now()
    const ended = await run(inRoot('node_modules', '.bin', command), args, {
      cwd: root,
      env: { ...env, FORCE_COLOR: process.stderr.isTTY ? '1' : '0' },
      stdio: ['ignore', 2, 2],
    })
    const ok = ended.code === 0
    tally[ok ? 'passed' : 'failed'] += 1
    say(`${ok ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
  }
  return tally
}

/** The tests that need no lab tools. @param {Machine} machine */
export function runUnitTests(machine) {
  return vitest(withoutCluster(machine), 'vitest-unit.json', ...unitTests)
}

/** Unit and integration tests. @param {Machine} machine */
export function runVitest(machine) {
  return vitest(withoutCluster(machine), 'vitest.json')
}

/** The running app in a real browser. @param {Machine} machine */
export function runPlaywright(machine) {
  return playwright(withoutCluster(machine), 'playwright.json')
}

/**
 * The tests that need a real cluster, on it; where there is none they count as one that was skipped.
 *
 * @param {Machine} machine
 * @param {TestCluster} cluster
 * @returns {Promise<Tally>}
 */
export async function runCluster({ node, env }, cluster) {
  const found = await cluster.ready()
  if (typeof found === 'string') {
    say(`SKIPPED the tests on a real Kubernetes cluster: ${found}`)
    return { passed: 0, failed: 0, skipped: 1 }
  }
  const machine = { node, env: { ...env, ...found } }
  const tallies = [
    await vitest(machine, 'vitest-cluster.json', '--project=cluster'),
    await playwright(machine, 'playwright-cluster.json', '--project=cluster'),
  ]
  if (await cluster.end()) return sum(tallies)
  say('FAILED the cluster could not be deleted')
  return sum([...tallies, { passed: 0, failed: 1, skipped: 0 }])
}

/**
 * Figures of `npm run bench -- faults` in their short form, which count as one test. They run beside something else, so
 * their output is printed when they have ended; and as root before it, because some of them measure delays.
 *
 * @param {Machine} machine
 * @param {string} what names the log
 * @param {readonly string[]} args which figures; all that need no cluster if there are none
 * @returns {Promise<Tally>}
 */
export async function runFaults(machine, what, args) {
  const { node, env } = withoutCluster(machine)
  mkdirSync(cache, { recursive: true })
  const file = join(cache, `${what}.log`)
  const log = openSync(file, 'w')
  const first = process.getuid?.() === 0 ? ['-n', '-10'] : ['-n', '0']
  const argv = [...first, node, inRoot('bench', 'src', 'main.ts'), 'faults', '--short', ...args]
  const ended = await run('nice', argv, { cwd: root, env, stdio: ['ignore', log, log] })
  closeSync(log)
  say(readFileSync(file, 'utf8'))
  const ok = exitCode(ended) === 0
  say(`${ok ? 'ok    ' : 'FAILED'} ${what}`)
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 }
}

/** One cluster, after everything else: not under the other tests. @param {Machine} machine @returns {Machine} */
function withoutCluster({ node, env }) {
  return { node, env: { ...env, E2E_KUBECONFIG: '' } }
}

/**
 * @param {Machine} machine
 * @param {string} name of the report
 * @param {readonly string[]} options
 */
function vitest(machine, name, ...options) {
  const report = join(cache, name)
  const argv = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...options]
  return runTests(machine, { argv, cwd: root, report, read: ofVitest })
}

/**
 * @param {Machine} machine
 * @param {string} name of the report
 * @param {readonly string[]} options
 */
function playwright({ node, env }, name, ...options) {
  const report = join(cache, name)
  const argv = ['playwright', 'test', '--reporter=list,json', ...options]
  const machine = { node, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report } }
  return runTests(machine, { argv, cwd: inRoot('e2e'), report, read: ofPlaywright })
}

/**
 * @template Report
 * @param {Machine} machine
 * @param {{argv: readonly string[], cwd: string, report: string, read: (report: Report) => Tally}} runner
 * @returns {Promise<Tally>}
 */
async function runTests({ env }, { argv, cwd, report, read }) {
  mkdirSync(cache, { recursive: true })
  rmSync(report, { force: true })
  const [command = '', ...args] = argv
  const ended = await run(join(cwd, 'node_modules', '.bin', command), args, { cwd, env, stdio: ['ignore', 2, 2] })
  const tally = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : sum([])
  return withExit(tally, exitCode(ended))
}

/**
 * Runs the stages, one after the other whatever the earlier ones found, and ends with the one line.
 *
 * @param {readonly (() => Promise<Tally>)[]} stages
 * @returns {Promise<number>} the exit code
 */
export async function summed(stages) {
  const tallies = []
  try {
    for (const stage of stages) tallies.push(await stage())
  } catch (error) {
    if (error instanceof FrameError) say(`${error.message} ${error.remedy}`)
    else throw error
    tallies.push({ passed: 0, failed: 1, skipped: 0 })
  }
  const all = sum(tallies)
  process.stdout.write(`${line(all)}\n`)
  return exitCodeOf(all)
}
