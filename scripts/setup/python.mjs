/** Python programs from PyPI, each in a folder of its own. */
import { readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../base/child.mjs'
import { FrameError } from '../base/say.mjs'
import { ensureSet, isOffered, wheels, withPrograms } from '../tools/bundle.mjs'
import { allTools, find, python } from './system-tools.mjs'

/**
 * Makes a virtual environment, whose `bin/python3 -m pip` installs.
 *
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @param {string} what the program that needs it, for people
 */
export async function makeEnvironment(folder, env, what) {
  /** @param {string} program @param {readonly string[]} args */
  const quiet = (program, args) =>
    run(program, args, { env, stdio: 'ignore' }).then(
      ({ code }) => code === 0,
      () => false,
    )
  if (await quiet('python3', ['-m', 'venv', '--clear', folder])) return
  // Debian splits pip from Python.
  if (isOffered('python')) {
    for (const set of /** @type {const} */ (['core', 'python'])) {
      await ensureSet(
        set,
        allTools.filter((tool) => tool.set === set),
        env,
      )
    }
    // By its own path, from which it finds its modules.
    const own = find('python3', withPrograms([python], { PATH: '' })) ?? ''
    const program = find('python3', env) === null ? realpathSync(own) : 'python3'
    const [pip = ''] = readdirSync(wheels)
      .filter((name) => name.startsWith('pip-'))
      .map((name) => join(wheels, name))
    const made = await quiet(program, ['-m', 'venv', '--clear', '--without-pip', folder])
    if (made && (await quiet(join(folder, 'bin', 'python3'), [join(pip, 'pip'), 'install', '--no-index', pip]))) return
  }
  throw new FrameError(
    `Python 3 with its venv module is missing, which ${what} needs.`,
    'Install python3 and python3-venv, then run the same command again.',
  )
}
