/**
 * The frame's messages. All of them goes to stderr: stdout belongs to the command that runs,
 * so that `npm run lab -- --list | ...` carries nothing else.
 */

/** A failure that a person can act on, with its remedy. */
export class FrameError extends Error {
  /**
   * @param {string} message one sentence
   * @param {string} remedy the next steps; a command stands on a line of its own
   * @param {{cause?: unknown}} [options]
   */
  constructor(message, remedy, options) {
    super(message, options)
    this.remedy = remedy
  }
}

/** @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

/**
 * Says how long a part of the set-up took.
 *
 * @template T
 * @param {string} done
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function timed(done, work) {
  const began = performance.now()
  const result = await work()
  say(`${done} in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
  return result
}

/** @param {unknown} error */
export function sayError(error) {
  if (!(error instanceof FrameError)) {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return
  }
  say(`\nexpresslane: ${error.message}`)
  if (error.cause instanceof Error) say(`  ${error.cause.message}`)
  say(error.remedy)
}
