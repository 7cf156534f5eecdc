/** Builds the page and the server into few files if one of their inputs has changed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../base/child.mjs'
import { cache, inRoot } from '../base/paths.mjs'
import { FrameError, say, timed } from '../base/say.mjs'
import { hashOf, readStamp, removeStamp, seenOf, writeStamp } from './stamp.mjs'

const config = inRoot('scripts', 'setup', 'server-bundle.mjs')

const bundles = {
  page: {
    folder: inRoot('web'),
    options: [],
    built: inRoot('web', 'dist', 'index.html'),
    inputs: ['web', 'shared', 'tsconfig.base.json', 'pnpm-lock.yaml'].map((path) => inRoot(path)),
  },
  server: {
    folder: inRoot('server'),
    options: ['--config', config],
    built: inRoot('server', 'dist', 'main.js'),
    inputs: [inRoot('server', 'src'), inRoot('shared', 'src'), inRoot('pnpm-lock.yaml'), config],
  },
}

/** @typedef {keyof typeof bundles} Bundle */

/** @param {Bundle} name */
const stampOf = (name) => join(cache, `${name}.json`)

/** @param {Bundle} name */
const keyOf = (name) => hashOf(bundles[name].inputs)

/** @param {Bundle} name */
export function isBuilt(name) {
  const { built, inputs } = bundles[name]
  const stamp = readStamp(stampOf(name))
  if (!existsSync(built) || stamp['key'] === undefined) return false
  const seen = seenOf(inputs)
  if (stamp['seen'] === seen) return true
  if (stamp['key'] !== keyOf(name)) return false
  // Files were written again with the same contents: the next start need not read them.
  writeStamp(stampOf(name), { key: stamp['key'], seen })
  return true
}

/**
 * A program of the server, from the bundle where it is built: it starts in half the time.
 *
 * @param {'main' | 'headless' | 'data'} program
 * @returns {string} its file
 */
export function serverProgram(program) {
  return isBuilt('server') ? inRoot('server', 'dist', `${program}.js`) : inRoot('server', 'src', `${program}.ts`)
}

/**
 * @param {Bundle} name
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
export async function build(name, node, env) {
  const { folder, options } = bundles[name]
  say(`Building the ${name} ...`)
  removeStamp(stampOf(name))
  const stamp = { key: keyOf(name), seen: seenOf(bundles[name].inputs) }
  const vite = inRoot('web', 'node_modules', 'vite', 'bin', 'vite.js')
  const ended = await timed(`Built the ${name}`, async () => {
    const child = await run(node, [vite, 'build', '--logLevel', 'warn', ...options], {
      cwd: folder,
      env: { ...env, NODE_ENV: 'production' },
      stdio: ['ignore', 2, 2],
    })
    if (child.code === 0) writeStamp(stampOf(name), stamp)
    return child
  })
  if (ended.code !== 0) {
    throw new FrameError(
      `The ${name} could not be built: vite ended with ${ended.code ?? ended.signal}; its output is above.`,
      'If you changed it, `npm run check` shows more. Otherwise the disk may be full.',
    )
  }
}
