/** The stages of a test run: the checks before a commit, and the tests. Each counts passes, and names failures. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { exitCode, run } from '../base/child.mjs'
import { cache, inRoot, root } from '../base/paths.mjs'
import { house } from '../house/house.mjs'
import { ofPlaywright, ofVitest, one, skipped, sum, under, withCrashes, withExit } from './tally.mjs'

/**
 * @typedef {import('./tally.mjs').Tally} Tally
 * @typedef {import('./stages.mjs').Screen} Screen
 * @typedef {import('./stages.mjs').Stage} Stage
 * @typedef {import('./test-cluster.mjs').TestCluster} TestCluster
 * @typedef {{node: string, env: NodeJS.ProcessEnv}} Machine
 */

/** Vitest's options that leave out the tests that need lab tools. */
export const unitTests = /** @type {const} */ (['--project=!integration'])

/** Vitest's options that leave out the tests that import nothing that changed since the last commit. */
export const changed = /** @type {const} */ (['--changed', '--passWithNoTests'])

/**
 * Many tests wait for tools. On two processors Vitest would run one file at a time, and leave both idle. Not for the
 * tests on the cluster, which all files share.
 */
const beside = `--maxWorkers=${Math.max(2, availableParallelism() - 1)}`

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
 * The measures of the house, format, lint, types and dead code; each counts as a test.
 *
 * @param {Machine} machine
 * @returns {Stage}
 */
export const checked =
  ({ env }) =>
  async ({ fd, say }) => {
    const tallies = [one('check: the measures of the house', house(false, say))]
    for (const { name, argv } of checks) {
      const [command = '', ...args] = argv
      const begun = performance.now()
      const ended = await run(inRoot('node_modules', '.bin', command), args, {
        cwd: root,
        env: { ...env, FORCE_COLOR: process.stderr.isTTY ? '1' : '0' },
        stdio: ['ignore', fd, fd],
      })
      const ok = ended.code === 0
      tallies.push(one(`check: ${name}`, ok))
      say(`${ok ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
    }
    return sum(tallies)
  }

/**
 * The tests that need no lab tools.
 *
 * @param {Machine} machine
 * @param {readonly string[]} options Vitest's, to run some of the tests
 */
export function unitTested(machine, options = []) {
  return vitest(withoutCluster(machine), 'vitest-unit', beside, ...unitTests, ...options)
}

/** The tests that need lab tools. @param {Machine} machine */
export function integrationTested(machine) {
  const options = [beside, '--project=integration']
  return runner(withoutCluster(machine), { ...vitestRun('vitest', options), before: apart() })
}

/**
 * A network namespace of their own, and a list of namespaces of their own, for tests that look at the devices and namespaces
 * of the machine: the cluster's nodes and the browser tests' testbeds make and remove some at the same time. An ordinary user
 * makes none of these, and can't make one here.
 */
const apart = () =>
  process.getuid?.() === 0 ? ['unshare', '--net', '--mount', 'sh', '-c', `${ownDevices} && exec "$0" "$@"`] : []

/** `ip netns` keeps its list in /run/netns, which all network namespaces share. */
const ownDevices = 'ip link set lo up && mkdir -p /run/netns && mount -t tmpfs netns /run/netns'

/** The running app in a real browser. @param {Machine} machine */
export function browsed(machine) {
  return playwright(withoutCluster(machine), 'browser')
}

/**
 * The tests that need a real cluster, on it, part by part; where there is none they count as one skipped test. Mostly
 * they wait for Cilium's agents, so they run beside other stages.
 *
 * @param {Machine} machine
 * @param {TestCluster} cluster
 * @param {Screen} screen
 * @returns {Promise<Tally>}
 */
export async function testedOnCluster({ node, env }, cluster, screen) {
  const found = await cluster.ready()
  if (typeof found === 'string') {
    return screen.beside('no-cluster', async ({ say }) => {
      say(`SKIPPED the tests on a real Kubernetes cluster: ${found}`)
      return skipped
    })
  }
  const machine = { node, env: { ...env, ...found } }
  const tallies = [
    await screen.beside('vitest-cluster', vitest(machine, 'vitest-cluster', '--project=cluster')),
    await screen.beside('faults-cluster', faulted(machine, 'faults-cluster', ['api-ways'])),
    await screen.beside('browser-cluster', playwright(machine, 'browser-cluster', '--project=cluster')),
  ]
  return sum(tallies)
}

/**
 * Takes the cluster down, as soon as its tests have ended.
 *
 * @param {TestCluster} cluster
 * @returns {Stage}
 */
export const clusterEnded =
  (cluster) =>
  async ({ say }) => {
    if (await cluster.end()) return sum([])
    say('FAILED the cluster could not be deleted')
    return one('the cluster could not be deleted', false)
  }

/**
 * Figures of `npm run bench -- faults` in their short form, which count as one test; as root before the stages beside
 * them, because some of them measure delays.
 *
 * @param {Machine} machine
 * @param {string} name
 * @param {readonly string[]} args the names of figures
 * @returns {Stage}
 */
export const faulted =
  ({ node, env }, name, args) =>
  async ({ fd, say }) => {
    const first = process.getuid?.() === 0 ? ['-n', '-10'] : ['-n', '0']
    const argv = [...first, node, inRoot('bench', 'src', 'main.ts'), 'faults', '--short', ...args]
    const ok = exitCode(await run('nice', argv, { cwd: root, env, stdio: ['ignore', fd, fd] })) === 0
    say(`${ok ? 'ok    ' : 'FAILED'} ${name}`)
    return one(`${name}: a figure does not hold`, ok)
  }

/**
 * With a folder where Node keeps compiled code, for all processes of a test run: the tests start hundreds of servers and
 * headless labs, and compiling is half of the time of a start. Each run begins with an empty folder.
 *
 * @param {Machine} machine
 * @returns {Machine}
 */
export function compiledOnce({ node, env }) {
  const folder = join(cache, 'compiled')
  rmSync(folder, { recursive: true, force: true })
  return { node, env: { ...env, NODE_COMPILE_CACHE: folder } }
}

/** Without the cluster, which is for {@link testedOnCluster} alone. @param {Machine} machine @returns {Machine} */
export function withoutCluster({ node, env }) {
  return { node, env: { ...env, E2E_KUBECONFIG: '' } }
}

/**
 * @param {Machine} machine
 * @param {string} name
 * @param {readonly string[]} options
 * @returns {Stage}
 */
function vitest(machine, name, ...options) {
  return runner(machine, vitestRun(name, options))
}

/** @param {string} name @param {readonly string[]} options */
function vitestRun(name, options) {
  const report = join(cache, `${name}.json`)
  const reporters = ['default', 'json', inRoot('scripts', 'testing', 'crashes.mjs')].map(
    (reporter) => `--reporter=${reporter}`,
  )
  const argv = ['vitest', 'run', ...reporters, `--outputFile.json=${report}`, ...options]
  return { name, argv, cwd: root, report, read: ofVitest, crashes: join(cache, `${name}-crashes.json`) }
}

/**
 * @param {Machine} machine
 * @param {string} name
 * @param {readonly string[]} options
 * @returns {Stage}
 */
function playwright({ node, env }, name, ...options) {
  const report = join(cache, `${name}.json`)
  // Each run empties its folder first: two at once need two.
  const argv = ['playwright', 'test', '--reporter=list,json', `--output=test-results/${name}`, ...options]
  const machine = { node, env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report } }
  return runner(machine, { name, argv, cwd: inRoot('e2e'), report, read: ofPlaywright })
}

/**
 * @template Report
 * @param {Machine} machine
 * @param {{name: string, argv: readonly string[], cwd: string, report: string, read: (report: Report) => Tally,
 *   before?: readonly string[], crashes?: string}} runner `before`: the program and its arguments that run the command;
 *   `crashes`: the file in which it lists the errors outside of tests
 * @returns {Stage}
 */
function runner({ env }, { name, argv, cwd, report, read, before = [], crashes = '' }) {
  return async ({ fd }) => {
    mkdirSync(cache, { recursive: true })
    for (const written of [report, crashes]) rmSync(written, { force: true })
    const [command = '', ...options] = argv
    const [file = '', ...args] = [...before, join(cwd, 'node_modules', '.bin', command), ...options]
    const ended = await run(file, args, { cwd, env: { ...env, CRASH_REPORT: crashes }, stdio: ['ignore', fd, fd] })
    const tally = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : null
    const errors = existsSync(crashes) ? JSON.parse(readFileSync(crashes, 'utf8')) : []
    return under(name, withExit(tally && withCrashes(tally, errors), exitCode(ended)))
  }
}
