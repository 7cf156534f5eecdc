/** Installs Schemathesis from PyPI in a separate virtual environment. It tests the API against its description. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall } from './apt.mjs'
import { run } from '../base/child.mjs'
import { alone } from './lock.mjs'
import { cache } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { system } from './system-tools.mjs'

/** Schemathesis is maintained, made for OpenAPI, and finds what hand-written cases miss. */
const VERSION = '4.32.5'
/** Where the test looks for `bin/schemathesis`. */
const folder = join(cache, 'schemathesis')
const stamp = join(folder, 'installed')

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === VERSION
}

/** Debian splits `venv` from Python. @type {import('./system-tools.mjs').Tool} */
const python = { package: 'python3-venv', commands: ['python3'] }

/** @param {NodeJS.ProcessEnv} env */
async function makeEnvironment(env) {
  /** @type {import('node:child_process').SpawnOptions} */
  const quiet = { env, stdio: ['ignore', 'ignore', 'ignore'] }
  const make = () => run('python3', ['-m', 'venv', '--clear', folder], quiet).catch(() => ({ code: 1, signal: null }))
  if ((await make()).code === 0) return
  if (system().family.includes('debian') && process.getuid?.() === 0) {
    await aptInstall([python], env)
    if ((await make()).code === 0) return
  }
  throw new FrameError(
    'Python 3 with its venv module is missing, which the tests of the API need.',
    'Install python3 and python3-venv, then run the same command again.',
  )
}

/** Installs it where it is missing. @param {NodeJS.ProcessEnv} env */
export async function ensureSchemathesis(env) {
  if (isInstalled()) return
  await alone(async () => {
    if (isInstalled()) return
    say(`Installing schemathesis ${VERSION} from PyPI ...`)
    await makeEnvironment(env)
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`]
    const { code } = await run(join(folder, 'bin', 'python3'), pip, { env, stdio: ['ignore', 2, 2] })
    if (code === 0) return writeFileSync(stamp, VERSION)
    rmSync(folder, { recursive: true, force: true })
    throw new FrameError(
      'pip could not install schemathesis; its output is above.',
      'Check that PyPI, or your mirror of it, can be reached.',
    )
  })
}
