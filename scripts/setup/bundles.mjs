/** Builds the page and the server into few files if one of their inputs has changed. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { run, start } from '../base/child.mjs'
import { cache, inRoot } from '../base/paths.mjs'
import { FrameError, say, timed } from '../base/say.mjs'
import { hashOf, readStamp, removeStamp, seenOf, writeStamp } from './stamp.mjs'

/**
 * Node's default young space grows to 48 MB and keeps the memory. With a smaller one a server with 1,000 followers stays
 * below 250 MB (`npm run bench -- workshop`). The old space grows in small steps, so that a flood of requests leaves little behind: one
 * person's 200 costly reads take 16 to 41 MB instead of 20 to 94 (`npm run bench -- faults costly-reads`).
 *
 * Where the processor has protection keys, V8 can lose track of the pages of its code, and ends the process
 * (nodejs/node#64500): it does without the keys.
 * scripts/docker-entrypoint and bench/src/support/app.ts have the same options.
 */
export const SERVER_OPTIONS = ['--max-semi-space-size=4', '--heap-growing-percent=20', '--no-memory-protection-keys']

const config = inRoot('scripts', 'setup', 'server-bundle.mjs')

const pageInputs = ['web', 'shared', 'tsconfig.base.json', 'pnpm-lock.yaml'].map((path) => inRoot(path))

const bundles = {
  page: {
    folder: inRoot('web'),
    options: [],
    built: inRoot('web', 'dist', 'index.html'),
    inputs: pageInputs,
  },
  /** One file, for `npm run lab -- LAB --open`. */
  viewer: {
    folder: inRoot('web'),
    options: ['--config', 'vite.viewer.config.ts'],
    built: inRoot('web', 'site', 'dist', 'viewer.html'),
    inputs: pageInputs,
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

/**
 * Starts the built server for a moment: the next start finds its programs compiled, the labs parsed and the recordings
 * checked, and takes a quarter of the time.
 *
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
export async function startOnce(node, env) {
  const data = mkdtempSync(join(cache, 'start-'))
  try {
    const { child, ended } = start(node, [...SERVER_OPTIONS, serverProgram('main')], {
      env: { ...env, EXPRESSLANE_DATA: data, HOST: '127.0.0.1', PORT: '0' },
      stdio: ['ignore', 'ignore', 2, 'ipc'],
    })
    child.once('message', () => child.kill())
    await timed('Prepared the next start', () => ended)
  } finally {
    rmSync(data, { recursive: true, force: true })
  }
}
