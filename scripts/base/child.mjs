/** Child processes: argv only, signals passed on, the exit code kept. */
import { execFile, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { FrameError } from './say.mjs'

/** @typedef {{code: number | null, signal: NodeJS.Signals | null}} Ended */

/** @type {Set<{child: import('node:child_process').ChildProcess, detached: boolean}>} */
const children = new Set()
/** @type {NodeJS.Signals | null} */
let asked = null

/** From here on a signal ends the children first, and with them this process. */
export function passSignalsOn() {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      asked = signal
      if (children.size === 0) process.exit(128 + constants.signals[signal])
      for (const { child, detached } of children) {
        // pnpm starts programs of its own: a signal must go to the whole group.
        if (detached && child.pid !== undefined) process.kill(-child.pid, signal)
        // A terminal sends Ctrl-C to this process's group: the other children have it already.
        else if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
      }
    })
  }
}

/** Ends the children, at the end of the command that they work for. */
export function endChildren() {
  for (const { child } of children) child.kill()
}

/**
 * Starts a child that signals are passed on to.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function start(file, args, options = {}) {
  const child = spawn(file, args, { stdio: 'inherit', ...options })
  const entry = { child, detached: options.detached ?? false }
  children.add(entry)
  /** @type {Promise<Ended>} */
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  }).finally(() => children.delete(entry))
  return { child, ended }
}

/**
 * Runs a child to its end.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<Ended>} rejects if the file cannot be started, and if a person asked to stop meanwhile
 */
export async function run(file, args, options) {
  const ended = await start(file, args, options).ended
  if (asked !== null) throw new FrameError(`Stopped by ${asked}.`, 'Run the same command again to continue.')
  return ended
}

/**
 * Runs a child to its end with these lines on its standard input; its own words go to stderr.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {readonly string[]} lines
 * @returns {Promise<Ended>}
 */
export function feed(file, args, lines) {
  const { child, ended } = start(file, args, { stdio: ['pipe', 2, 2] })
  // The child can end before it has read everything; its exit code shows that.
  child.stdin?.on('error', () => {})
  child.stdin?.end(`${lines.join('\n')}\n`)
  return ended
}

/**
 * A child's output, or null if it could not be started or failed.
 *
 * @param {string} file
 * @param {readonly string[]} args
 * @param {import('node:child_process').ExecFileOptions} [options]
 * @returns {Promise<string | null>}
 */
export function capture(file, args, options = {}) {
  return new Promise((resolve) => {
    execFile(file, args, { ...options, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    )
  })
}

/**
 * The exit code a shell would show.
 *
 * @param {Ended} ended
 */
export function exitCode(ended) {
  return ended.code ?? 128 + (ended.signal === null ? 0 : constants.signals[ended.signal])
}
