/** A reporter for Vitest that writes the errors outside of tests, such as a worker's crash: its JSON report has none of them. */
import { writeFileSync } from 'node:fs'

/** Writes a list of texts to the file that CRASH_REPORT names. */
export default class CrashReporter {
  /**
   * @param {unknown} _modules
   * @param {readonly {message?: string, cause?: {message?: string}}[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const file = process.env['CRASH_REPORT']
    if (file === undefined) return
    const texts = errors.map(({ message = 'an error without a message', cause }) =>
      cause?.message !== undefined ? `${message}\nCaused by: ${cause.message}` : message,
    )
    writeFileSync(file, JSON.stringify(texts))
  }
}
