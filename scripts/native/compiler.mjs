/** Installs the C compiler that builds the helper program: one version, checked by its digest, from PyPI. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../base/child.mjs'
import { cache, inRoot } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { alone } from '../setup/lock.mjs'
import { makeEnvironment } from '../setup/python.mjs'

const requirements = inRoot('scripts', 'native', 'requirements.txt')
const folder = join(cache, 'native')
const packages = join(folder, 'packages')
const stamp = join(folder, 'installed')

/** @typedef {{run: (args: readonly string[]) => Promise<void>, headers: readonly string[], library: readonly string[]}} Compiler */

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === readFileSync(requirements, 'utf8')
}

/** @param {NodeJS.ProcessEnv} env @param {number} fd */
async function install(env, fd) {
  say('Installing the C compiler of the helper program from PyPI ...')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const python = join(folder, 'python')
  await makeEnvironment(python, env, 'the compiler of the helper program')
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '--no-compile']
  const which = ['--only-binary=:all:', '--require-hashes', '--target', packages, '--requirement', requirements]
  const { code } = await run(join(python, 'bin', 'python3'), [...pip, ...which], { env, stdio: ['ignore', fd, fd] })
  if (code === 0) return writeFileSync(stamp, readFileSync(requirements))
  rmSync(folder, { recursive: true, force: true })
  throw new FrameError(
    'pip could not install the compiler; its output is above.',
    'Check that PyPI, or your mirror of it, can be reached.',
  )
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {number} fd for the output of pip and of the compiler
 * @returns {Promise<Compiler>}
 */
export async function ensureCompiler(env, fd) {
  if (!isInstalled()) {
    await alone(async () => {
      if (!isInstalled()) await install(env, fd)
    })
  }
  const zig = join(packages, 'ziglang')
  const built = join(folder, 'cache')
  const own = { ...env, ZIG_GLOBAL_CACHE_DIR: built, ZIG_LOCAL_CACHE_DIR: built }
  const includes = join(zig, 'lib', 'libc', 'include')
  return {
    headers: [join(includes, 'any-linux-any'), join(includes, 'x86-linux-any')],
    library: [join(includes, 'x86_64-linux-musl'), join(includes, 'generic-musl')],
    async run(args) {
      const { code } = await run(join(zig, 'zig'), ['cc', ...args], { env: own, stdio: ['ignore', fd, fd] })
      if (code !== 0) throw new FrameError('The helper program does not compile.', "The compiler's output is above.")
    },
  }
}
