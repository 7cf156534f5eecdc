/** Builds the page if one of its inputs has changed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../base/child.mjs'
import { cache, inRoot } from '../base/paths.mjs'
import { FrameError, say } from '../base/say.mjs'
import { hashOf, readStamp, removeStamp, writeStamp } from './stamp.mjs'

const stampFile = join(cache, 'page.json')
const inputs = ['web', 'shared', 'tsconfig.base.json', 'pnpm-lock.yaml'].map((path) => inRoot(path))

export function pageIsBuilt() {
  return existsSync(inRoot('web', 'dist', 'index.html')) && readStamp(stampFile)['key'] === hashOf(inputs)
}

/**
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
export async function buildPage(node, env) {
  say('Building the page ...')
  const key = hashOf(inputs)
  removeStamp(stampFile)
  const vite = inRoot('web', 'node_modules', 'vite', 'bin', 'vite.js')
  const ended = await run(node, [vite, 'build', '--logLevel', 'warn'], {
    cwd: inRoot('web'),
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  })
  if (ended.code !== 0) {
    throw new FrameError(
      `The page could not be built: vite ended with ${ended.code ?? ended.signal}; its output is above.`,
      'If you changed the page, `npm run check` shows more. Otherwise the disk may be full.',
    )
  }
  writeStamp(stampFile, { key })
}
