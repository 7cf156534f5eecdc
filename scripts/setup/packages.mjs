/** The packages, and the Node that everything runs on. */
import { accessSync, constants, existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { capture } from '../base/child.mjs'
import { cache, inRoot, root } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { runPnpm } from './pnpm.mjs'
import { hashOf, readStamp, removeStamp, writeStamp } from './stamp.mjs'

const oldestNode = 24
const stampFile = inRoot('node_modules', '.expresslane-packages.json')
const manifests = [
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  '.npmrc',
  ...['bench', 'e2e', 'server', 'shared', 'web'].map((name) => join(name, 'package.json')),
]

/** PATH without this checkout's own programs, which an installation is about to replace. */
function machinePath() {
  const entries = (process.env['PATH'] ?? '').split(delimiter)
  return entries.filter((entry) => !entry.startsWith(inRoot('node_modules'))).join(delimiter)
}

/**
 * The environment for everything that the frame runs: the checkout's programs first, and the
 * folders with the administrator's tools, which an ordinary user's PATH often lacks.
 *
 * @param {string} node
 */
export function environment(node) {
  const path = [dirname(node), inRoot('node_modules', '.bin'), machinePath(), '/usr/local/sbin', '/usr/sbin', '/sbin']
  // Vite and pnpm ask for a compile cache, which is otherwise in /tmp.
  const compiled = process.env['NODE_COMPILE_CACHE'] ?? join(cache, 'compiled')
  return { ...process.env, NODE_COMPILE_CACHE: compiled, PATH: path.join(delimiter) }
}

/**
 * Installs the packages of the lockfile.
 *
 * @param {boolean} all those for tests and checks, too; a checkout that has them keeps them
 * @returns {Promise<string>} the path of a Node that is new enough
 */
export async function installPackages(all) {
  assertWritable()
  const whole = all || readStamp(stampFile)['whole'] === 'yes'
  removeStamp(stampFile)
  await install(whole ? [] : ['--prod'])
  const node = await newNode()
  writeStamp(stampFile, { key: packagesKey(), node, whole: whole ? 'yes' : 'no' })
  return node
}

/**
 * @param {boolean} all as for {@link installPackages}
 * @returns {string | null} the Node to run on, or null where the packages must be installed first
 */
export function installedNode(all) {
  const { key, node, whole } = readStamp(stampFile)
  if (key !== packagesKey() || (all && whole !== 'yes')) return null
  return node !== undefined && existsSync(node) ? node : null
}

// The checkout's place is part of it: pnpm writes absolute paths into the packages.
function packagesKey() {
  return hashOf(
    manifests.map((file) => inRoot(file)),
    [root, process.platform, process.arch],
  )
}

function assertWritable() {
  try {
    accessSync(root, constants.W_OK)
    if (existsSync(inRoot('node_modules'))) accessSync(inRoot('node_modules'), constants.W_OK)
  } catch (cause) {
    throw new FrameError(
      'The packages must be installed, but this checkout is read-only.',
      'Clone it to a folder that you own, or make this one writable, and run the command again.',
      { cause },
    )
  }
}

/** @param {readonly string[]} options */
async function install(options) {
  const env = {
    ...environment(process.execPath),
    PATH: machinePath(),
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
    // pnpm leaves a processor free, so with two of them one thread unpacks everything, Node's 190 MB last.
    PNPM_MAX_WORKERS: `${availableParallelism()}`,
    // Nobody is to update the pnpm that package.json names.
    npm_config_update_notifier: 'false',
  }
  say('Installing the packages with pnpm ...')
  const args = ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false', ...options]
  const ended = await runPnpm(args, { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (ended.code === 0) return
  throw new FrameError(
    `The packages could not be installed: pnpm ended with ${ended.code ?? ended.signal}; its output is above.`,
    'Most often the registry cannot be reached: check that `npm ping` works (npm config set registry, HTTPS_PROXY),' +
      ' and that the disk is not full. Then run the command again; it continues where it stopped.',
  )
}

/** The packaged Node, or the machine's where there is none for it (musl, other processors). */
async function newNode() {
  const packaged = inRoot('node_modules', `node-linux-${process.arch}`, 'bin', 'node')
  const onMachine = machinePath()
    .split(delimiter)
    .map((entry) => join(entry, 'node'))
  for (const node of [packaged, ...onMachine].filter((path) => existsSync(path))) {
    const version = await capture(node, ['--version'])
    if (version !== null && Number(/^v(\d+)/.exec(version)?.[1]) >= oldestNode) return node
  }
  throw new FrameError(
    `Expresslane runs on Node ${oldestNode} or newer. This machine has ${process.version}, and no packaged Node runs on it.`,
    `Install Node ${oldestNode} or newer (https://nodejs.org/en/download) and run the command again.`,
  )
}
