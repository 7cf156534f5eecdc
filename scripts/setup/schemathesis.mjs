/** Installs Schemathesis from PyPI in a separate virtual environment. It tests the API against its description. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../base/child.mjs'
import { alone } from './lock.mjs'
import { cache } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { makeEnvironment } from './python.mjs'

/** Schemathesis is maintained, made for OpenAPI, and finds faults that hand-written cases miss. */
const VERSION = '4.32.5'
/** The folder in which the test looks for `bin/schemathesis`. */
const folder = join(cache, 'schemathesis')
const stamp = join(folder, 'installed')

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === VERSION
}

/** Installs it where it is missing. @param {NodeJS.ProcessEnv} env */
export async function ensureSchemathesis(env) {
  if (isInstalled()) return
  await alone(async () => {
    if (isInstalled()) return
    say(`Installing schemathesis ${VERSION} from PyPI ...`)
    await makeEnvironment(folder, env, "the API's test")
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
