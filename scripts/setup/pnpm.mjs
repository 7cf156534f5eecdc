/** pnpm, as `packageManager` in package.json names it: by version, and by the SHA-512 of its package, which is checked. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { capture, run } from '../base/child.mjs'
import { cache, inRoot } from '../base/paths.mjs'
import { FrameError } from '../base/say.mjs'

/** @typedef {{version: string, sha512: string}} Pinned the hash in hexadecimal digits */

/**
 * Reads `pnpm@VERSION+sha512.HASH`, as Corepack does.
 *
 * @param {string} packageManager
 * @returns {Pinned}
 */
export function pinnedPnpm(packageManager) {
  const [, version = '', sha512 = ''] = /^pnpm@(\d+\.\d+\.\d+)\+sha512\.([0-9a-f]{128})$/.exec(packageManager) ?? []
  if (version !== '') return { version, sha512 }
  throw new FrameError(
    `package.json must name pnpm with its hash, but says: ${packageManager}`,
    'Write pnpm@VERSION+sha512.HASH: `npm view pnpm@VERSION dist.integrity` prints the hash in base64, and here it is in hexadecimal digits.',
  )
}

/**
 * @param {string} file pnpm's package
 * @param {Pinned} pinned
 * @throws FrameError if it is another package
 */
export function assertPinned(file, { version, sha512 }) {
  const found = createHash('sha512').update(readFileSync(file)).digest('hex')
  if (found === sha512) return
  throw new FrameError(
    `The registry's pnpm ${version} is not the one that package.json names: its SHA-512 is ${found}.`,
    'Do not use it. Check which registry npm asks (npm config get registry), and what stands between it and this machine.',
  )
}

/**
 * Runs pnpm, which is fetched if it is not here.
 *
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions & {env: NodeJS.ProcessEnv}} options
 */
export async function runPnpm(args, options) {
  return await run(process.execPath, [await fetchedPnpm(options.env), ...args], { ...options, detached: true })
}

/**
 * Fetches pnpm if it is not here.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the program, for Node to run
 */
async function fetchedPnpm(env) {
  const pinned = pinnedPnpm(JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).packageManager)
  const home = join(cache, `pnpm-${pinned.version}-${pinned.sha512.slice(0, 16)}`)
  const program = join(home, 'package', 'bin', 'pnpm.cjs')
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  const work = mkdtempSync(`${home}-`)
  try {
    await fetchTo(work, pinned, env)
    rmSync(home, { recursive: true, force: true })
    renameSync(work, home)
    return program
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** @param {string} folder @param {Pinned} pinned @param {NodeJS.ProcessEnv} env */
async function fetchTo(folder, pinned, env) {
  const pack = ['pack', '--loglevel=error', '--pack-destination', folder, `pnpm@${pinned.version}`]
  // From the checkout: a registry can be set in its .npmrc.
  const { code } = await run('npm', pack, { cwd: inRoot(), env, stdio: ['ignore', 'ignore', 2] }).catch((cause) => {
    if (cause instanceof FrameError) throw cause
    throw new FrameError(
      'npm could not be started. It is needed to fetch pnpm.',
      'Install npm (on Debian and Ubuntu: sudo apt-get install npm) and run the command again.',
      { cause },
    )
  })
  const [name] = readdirSync(folder)
  if (code !== 0 || name === undefined) {
    throw new FrameError(
      `npm could not fetch pnpm ${pinned.version}; its output is above.`,
      'Check that the registry can be reached: `npm ping` (npm config set registry, HTTPS_PROXY). Then run the command again.',
    )
  }
  const file = join(folder, name)
  assertPinned(file, pinned)
  if ((await capture('tar', ['-xzf', file, '-C', folder], { env })) === null) {
    throw new FrameError(
      `tar could not unpack pnpm ${pinned.version}.`,
      'Is the disk full? Then run the command again.',
    )
  }
}
