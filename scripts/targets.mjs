/** The set-up and the commands of each target. */
import { endChildren, exitCode, start } from './base/child.mjs'
import { inRoot, root } from './base/paths.mjs'
import { FrameError, sayError } from './base/say.mjs'
import { serverProgram, SERVER_OPTIONS } from './setup/bundles.mjs'
import { runPnpm } from './setup/pnpm.mjs'
import { ensureSchemathesis } from './setup/schemathesis.mjs'
import { setUp, setUpFirst } from './setup/setup.mjs'
import { coreTools, countedTools, labTools, someTools, testTools } from './setup/system-tools.mjs'

/**
 * @typedef {(args: readonly string[]) => Promise<number>} Target resolves to the exit code
 * @typedef {{node: string, env: NodeJS.ProcessEnv}} Machine
 */

/** @type {ReadonlyMap<string, Target>} */
export const targets = new Map([
  ['start', serve],
  ['build', build],
  ['test', test],
  ['test:watch', testWatch],
  ['dev', dev],
  ['lab', lab],
  ['record', record],
  ['data', data],
  ['bench', bench],
  ['screenshot', screenshot],
  ['site', site],
  ['check', check],
  ['house', house],
  ['lint', lintAll],
  ['format', format],
  ['texts', texts],
  ['tools', tools],
  ['pnpm', pnpm],
  ['image', image],
  ['native', native],
  ['kernel', kernel],
  ['cluster', kindCluster],
])

/**
 * glibc gives each thread an arena of its own and returns little of them, so a server that has read large files keeps some
 * 25 MB. With two arenas it does not. `npm run bench -- faults soak` measures it; scripts/docker-entrypoint has the same.
 */
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' }

/** Labs start with it: root gives up the rights that no lab needs. scripts/docker-entrypoint has the same list. */
const FEWER_RIGHTS = inRoot('scripts', 'fewer-rights')

/** Tests and benchmarks run the built server, as people do. */
const builtPrograms = inRoot('server', 'dist')

const packagesAlone = { allPackages: false, page: false, tools: [], toolsRequired: false, counted: false }
const checking = { ...packagesAlone, allPackages: true }
const serving = { ...packagesAlone, page: true, server: true, tools: coreTools, someTools, counted: true }
const testing = {
  ...serving,
  allPackages: true,
  tools: [...labTools, ...testTools],
  someTools: [],
  toolsRequired: true,
}

/** @type {Target} */
async function serve(args) {
  const { node, env, later } = await setUpFirst(serving)
  const server = [node, ...SERVER_OPTIONS, serverProgram('main'), ...args]
  const { child, ended } = start(FEWER_RIGHTS, server, {
    cwd: root,
    env: { ...FEW_ARENAS, ...env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  let isOver = false
  let rest = Promise.resolve()
  // Its one message says that it listens: the link comes first.
  child.once('message', () => {
    rest = later().catch((error) => {
      if (!isOver) sayError(error)
    })
  })
  const code = exitCode(await ended)
  isOver = true
  endChildren()
  await rest
  return code
}

/** The packages, the page and the server: for the container image. @type {Target} */
async function build() {
  await setUp({ ...packagesAlone, page: true, server: true })
  return 0
}

/** @type {Target} */
async function dev() {
  const machine = await setUp({ ...serving, allPackages: true, page: false, server: false })
  const { dev: run } = await import('./dev.mjs')
  return await run(machine)
}

/** @type {Target} */
async function lab(args) {
  const opens = args[0] === 'open'
  const reads = opens || ['check', '--list'].includes(args[0] ?? '')
  const { node, env } = await setUp({
    ...packagesAlone,
    viewer: opens || args.some((word) => /^--open(=|$)/.test(word)),
    tools: reads ? [] : labTools,
    counted: args.includes('counted') || args[0] === 'bisect',
  })
  return await handOver(FEWER_RIGHTS, [node, serverProgram('headless'), ...args], env)
}

/** Makes the recordings that come with Expresslane again. @type {Target} */
async function record(args) {
  const { node, env } = await setUp({ ...packagesAlone, tools: labTools, toolsRequired: true, counted: true })
  return await handOver(FEWER_RIGHTS, [node, inRoot('server', 'src', 'record.ts'), ...args], env)
}

/** Looks after the history: info, prune, vacuum, backup. @type {Target} */
async function data(args) {
  const { node, env } = await setUp(packagesAlone)
  return await handOver(node, [serverProgram('data'), ...args], env)
}

/** @type {Target} */
async function bench(args) {
  const { node, env } = await setUp(testing)
  return await handOver(node, [inRoot('bench', 'src', 'main.ts'), ...args], { ...env, E2E_PROGRAMS: builtPrograms })
}

/** Walks the lab for real and takes the README's picture of it. @type {Target} */
async function screenshot(args) {
  const { node, env } = await setUp(testing)
  return await handOver(node, [inRoot('bench', 'src', 'screenshot.ts'), ...args], env)
}

/** Builds the static viewer into `site/`; with `--machine` only the emulated computer that it takes along. @type {Target} */
async function site(args) {
  if (args[0] === '--machine') {
    const wrap = coreTools.filter(({ package: name }) => name === 'bubblewrap')
    const { node, env } = await setUp({ ...packagesAlone, allPackages: true, tools: wrap, toolsRequired: true })
    return await handOver(node, [inRoot('scripts', 'machine', 'main.mjs'), ...args.slice(1)], env)
  }
  assertNone('site', args)
  const machine = await setUp({ ...packagesAlone, allPackages: true })
  const { buildSite } = await import('./site/build.mjs')
  await buildSite(machine)
  return 0
}

/** @type {Target} */
async function test(args) {
  assertNone('test', args)
  const gate = await import('./testing/checks.mjs')
  const { openScreen, summed } = await import('./testing/stages.mjs')
  const { tryImage } = await import('./image/check.mjs')
  const { nativeChecked } = await import('./native/build.mjs')
  const { openTestCluster } = await import('./testing/test-cluster.mjs')
  /** @type {Machine | null} */
  let machine = null
  try {
    machine = await setUp({ ...testing, twoKernels: true })
    await ensureSchemathesis(machine.env)
  } catch (error) {
    sayError(error)
  }
  if (machine === null) return await summed(() => Promise.resolve({ passed: 0, failed: ['the setup'], skipped: 0 }))
  const ready = gate.compiledOnce({ ...machine, env: { ...machine.env, E2E_PROGRAMS: builtPrograms } })
  const cluster = openTestCluster(ready.env)
  const screen = openScreen()
  const alone = gate.withoutCluster(ready)
  // The agents compile at each switch, which takes both processors; even at rest the nodes take a part of them.
  const onCluster = [
    () => gate.testedOnCluster(ready, cluster, screen),
    () => screen.beside('end of the cluster', gate.clusterEnded(cluster)),
    // A browser can't use all processors: the unit tests take the rest.
    () => screen.beside('unit tests', gate.unitTested(ready)),
  ]
  const onThisMachine = [
    () => screen.live('native programs', nativeChecked(ready)),
    () => screen.live('integration tests', gate.integrationTested(ready)),
    () => screen.live('browser tests', gate.browsed(ready)),
    () => screen.live('image', tryImage(ready)),
  ]
  try {
    return await summed(
      [
        () => screen.live('checks', gate.checked(ready)),
        {
          beside: [() => screen.beside('soak', gate.faulted(alone, 'soak', ['soak'])), onCluster, onThisMachine],
        },
        // Alone: they measure how long other people wait meanwhile.
        () => screen.live('faults', gate.faulted(alone, 'faults', ['--without', 'soak'])),
      ],
      screen,
    )
  } finally {
    await cluster.end()
  }
}

/** Builds the container image and uses it. @type {Target} */
async function image(args) {
  const { openScreen, summed } = await import('./testing/stages.mjs')
  const { tryImage } = await import('./image/check.mjs')
  return await summed(() => openScreen().live('image', tryImage({ env: process.env }, args)))
}

/** Builds the helper program of the NodePort labs again; with `--check` only compares. @type {Target} */
async function native(args) {
  const { buildNative, nativeRebuilt } = await import('./native/build.mjs')
  const { openScreen, summed } = await import('./testing/stages.mjs')
  if (args[0] === '--check')
    return await summed(() => openScreen().live('native programs', nativeRebuilt({ env: process.env })))
  assertNone('native', args)
  await buildNative({ env: process.env })
  return 0
}

/** Kernels of the counted machine: lists them, or gets the named kernels. @type {Target} */
async function kernel(args) {
  // The machine gets the programs that are here.
  const { node, env } = await setUp({ ...packagesAlone, tools: [...labTools, ...countedTools] })
  return await handOver(node, [inRoot('scripts', 'counted', 'main.mjs'), 'kernel', ...args], env)
}

/**
 * The checks that need no lab tools, for before a commit, with the tests that import what is not committed yet; with
 * `--all` every test.
 *
 * @type {Target}
 */
async function check(args) {
  const all = args.length === 1 && args[0] === '--all'
  if (!all) assertNone('check', args)
  const machine = await setUp(checking)
  const { changed, checked, compiledOnce, unitTested } = await import('./testing/checks.mjs')
  const { openScreen, summed } = await import('./testing/stages.mjs')
  const screen = openScreen()
  const stages = [
    () => screen.live('checks', checked(machine)),
    () => screen.live('unit tests', unitTested(compiledOnce(machine), all ? [] : changed)),
  ]
  return await summed(stages, screen)
}

/** Prints the measures of the house; `--all` names the places behind each. @type {Target} */
async function house(args) {
  await setUp(checking)
  const { house: show } = await import('./house/house.mjs')
  return show(args.includes('--all'), (line) => void process.stdout.write(`${line}\n`)) ? 0 : 1
}

/** @type {Target} */
async function lintAll(args) {
  const { env } = await setUp(checking)
  const { lint } = await import('./testing/checks.mjs')
  const [command, ...options] = lint
  return await handOver(inRoot('node_modules', '.bin', command), [...options, ...args], env)
}

/** Runs the unit tests again whenever a file changes. @type {Target} */
async function testWatch(args) {
  const { env } = await setUp(checking)
  const { unitTests } = await import('./testing/checks.mjs')
  const watch = ['watch', ...unitTests, ...args]
  return await handOver(inRoot('node_modules', '.bin', 'vitest'), watch, { ...env, E2E_KUBECONFIG: '' })
}

/** @type {Target} */
async function format(args) {
  const { env } = await setUp(checking)
  return await handOver(inRoot('node_modules', '.bin', 'oxfmt'), args, env)
}

/** Collects the page's texts: adds new texts to each language of `web/languages`, and removes those without a use. @type {Target} */
async function texts(args) {
  const { node, env } = await setUp(checking)
  const lingui = inRoot('web', 'node_modules', '@lingui', 'cli', 'dist', 'lingui.js')
  const config = ['--config', inRoot('web', 'lingui.config.js')]
  return await handOver(node, [lingui, 'extract', '--clean', ...config, ...args], env)
}

/** Gets sets of tools before they are needed; `lock` writes the list of their packages again. @type {Target} */
async function tools(args) {
  if (args[0] === 'lock') {
    const { writeLock } = await import('./tools/bundle.mjs')
    await writeLock(process.env)
    return 0
  }
  const { ensureTools } = await import('./setup/tools.mjs')
  const { allTools } = await import('./setup/system-tools.mjs')
  const wanted = ['core', ...args]
  await ensureTools(
    allTools.filter(({ set }) => wanted.includes(set)),
    { env: process.env, required: true },
  )
  return 0
}

/** pnpm in the current folder: for the container image. @type {Target} */
async function pnpm(args) {
  return exitCode(await runPnpm(args, { env: process.env, stdio: ['ignore', 2, 2] }))
}

/** A Kubernetes cluster in Docker; it needs nothing of this project's packages. @type {Target} */
async function kindCluster(args) {
  const { cluster } = await import('./cluster/cluster.mjs')
  return await cluster(args)
}

/**
 * Runs the command itself, on the terminal and with the standard streams of this process.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function handOver(file, args, env) {
  return exitCode(await start(file, args, { cwd: root, env }).ended)
}

/**
 * @param {string} name
 * @param {readonly string[]} args
 */
function assertNone(name, args) {
  if (args.length === 0) return
  throw new FrameError(
    `\`npm run ${name}\` takes no arguments, but got: ${args.join(' ')}`,
    'To run some tests alone: node_modules/.bin/vitest run PATH, or cd e2e && node_modules/.bin/playwright test PATH',
  )
}
