/** Sums what the test runners report. Pure. */

/** @typedef {{passed: number, failed: number, skipped: number}} Tally */

/** @param {readonly Tally[]} tallies @returns {Tally} */
export function sum(tallies) {
  return tallies.reduce(
    (all, one) => ({
      passed: all.passed + one.passed,
      failed: all.failed + one.failed,
      skipped: all.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )
}

/** @param {Tally} tally */
export function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Skipped tests do not fail a run; one in which nothing passed has failed. @param {Tally} tally */
export function exitCodeOf({ passed, failed }) {
  return failed === 0 && passed > 0 ? 0 : 1
}

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly {status: string, assertionResults: readonly {status: string}[]}[]} testResults
 */

/** A file that could not even be read counts as one failed test. @param {VitestReport} report @returns {Tally} */
export function ofVitest(report) {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/**
 * @typedef {object} PlaywrightReport
 * @property {{expected: number, unexpected: number, flaky: number, skipped: number}} stats
 * @property {readonly unknown[]} errors
 */

/**
 * A test that passed only when repeated has failed; so has what stopped the runner outside any test.
 *
 * @param {PlaywrightReport} report
 * @returns {Tally}
 */
export function ofPlaywright({ stats, errors }) {
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    skipped: stats.skipped,
  }
}

/**
 * A runner that ended badly without one failed test has crashed: that is a failure too.
 *
 * @param {Tally} tally
 * @param {number} code its exit code
 * @returns {Tally}
 */
export function withExit(tally, code) {
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}
