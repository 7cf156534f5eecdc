/** Python programs from PyPI, each in a folder of its own. */
import { run } from '../base/child.mjs'
import { FrameError } from '../base/say.mjs'
import { aptInstall } from './apt.mjs'
import { system } from './system-tools.mjs'

/** Debian splits `venv` from Python. @type {import('./system-tools.mjs').Tool} */
const python = { package: 'python3-venv', commands: ['python3'] }

/**
 * Makes a virtual environment, whose `bin/python3 -m pip` installs.
 *
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @param {string} what the program that needs it, for people
 */
export async function makeEnvironment(folder, env, what) {
  /** @type {import('node:child_process').SpawnOptions} */
  const quiet = { env, stdio: ['ignore', 'ignore', 'ignore'] }
  const make = () => run('python3', ['-m', 'venv', '--clear', folder], quiet).catch(() => ({ code: 1, signal: null }))
  if ((await make()).code === 0) return
  if (system().family.includes('debian') && process.getuid?.() === 0) {
    await aptInstall([python], env)
    if ((await make()).code === 0) return
  }
  throw new FrameError(
    `Python 3 with its venv module is missing, which ${what} needs.`,
    'Install python3 and python3-venv, then run the same command again.',
  )
}
