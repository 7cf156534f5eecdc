/** Sums the reports of the test runners. Pure. */
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../base/paths.mjs'

/**
 * @typedef {{passed: number, failed: readonly string[], skipped: number}} Tally `failed` has for each test its name, and on
 * further lines why it failed, as far as that is known
 */

/** How many names of failed tests are printed at the end, how many with their errors, and how much of each. */
const NAMES = 50
const WITH_ERRORS = 10
const ERROR_LINES = 10
const LINE_LENGTH = 200

/** @param {readonly Tally[]} tallies @returns {Tally} */
export function sum(tallies) {
  return {
    passed: tallies.reduce((all, { passed }) => all + passed, 0),
    failed: tallies.flatMap(({ failed }) => failed),
    skipped: tallies.reduce((all, { skipped }) => all + skipped, 0),
  }
}

/** @param {Tally} tally */
export function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** The failed tests and the first lines of their errors, for the end of the output: often only that is seen. @param {Tally} tally */
export function failures({ failed }) {
  const named = failed.slice(0, NAMES).flatMap((failure, index) => {
    const [name = '', ...error] = failure.split('\n')
    const why = index < WITH_ERRORS ? error.filter((text) => text.trim() !== '').slice(0, ERROR_LINES) : []
    return [`  ${name}`, ...why.map((text) => `      ${text.trimEnd()}`)].map((text) => text.slice(0, LINE_LENGTH))
  })
  const more = failed.length > NAMES ? [`  and ${failed.length - NAMES} more`] : []
  return failed.length === 0 ? [] : ['Failed:', ...named, ...more]
}

/** Skipped tests do not fail a run; a run in which nothing passed has failed. @param {Tally} tally */
export function exitCodeOf({ passed, failed }) {
  return failed.length === 0 && passed > 0 ? 0 : 1
}

/** @param {string} name @param {readonly (string | undefined)[]} errors */
function because(name, errors) {
  const text = errors.filter((error) => error !== undefined).join('\n')
  return [name.replaceAll(/\s+/g, ' '), ...(text === '' ? [] : [stripVTControlCharacters(text)])].join('\n')
}

/**
 * @typedef {object} VitestTest
 * @property {string} status
 * @property {string} fullName
 * @property {readonly string[]} [failureMessages]
 *
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {readonly {name: string, status: string, message?: string, assertionResults: readonly VitestTest[]}[]} testResults
 */

/** A file that could not even be read counts as one failed test. @param {VitestReport} report @returns {Tally} */
export function ofVitest(report) {
  return {
    passed: report.numPassedTests,
    failed: report.testResults.flatMap(({ name, status, message, assertionResults }) => {
      const file = relative(root, name)
      const failed = assertionResults.filter((test) => test.status === 'failed')
      if (failed.length === 0 && status === 'failed') return [because(file, [message])]
      return failed.map(({ fullName, failureMessages = [] }) => because(`${file}: ${fullName}`, failureMessages))
    }),
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/**
 * @typedef {object} PlaywrightTest
 * @property {string} status
 * @property {readonly {errors?: readonly {message?: string}[]}[]} [results]
 *
 * @typedef {object} PlaywrightSuite
 * @property {readonly {title: string, file: string, tests: readonly PlaywrightTest[]}[]} specs
 * @property {readonly PlaywrightSuite[]} [suites]
 *
 * @typedef {object} PlaywrightReport
 * @property {{expected: number, skipped: number}} stats
 * @property {readonly {message?: string}[]} errors
 * @property {readonly PlaywrightSuite[]} suites
 */

/** @param {PlaywrightSuite} suite @returns {string[]} */
function failedIn({ specs, suites = [] }) {
  const failed = specs.flatMap(({ title, file, tests }) =>
    tests.flatMap(({ status, results = [] }) => {
      if (!['unexpected', 'flaky'].includes(status)) return []
      const errors = results.flatMap(({ errors: found = [] }) => found.map(({ message }) => message))
      return [because(`${file}: ${title}`, errors)]
    }),
  )
  return [...failed, ...suites.flatMap(failedIn)]
}

/**
 * A test that passed only when repeated has failed; so has an error that stopped the runner outside any test.
 *
 * @param {PlaywrightReport} report
 * @returns {Tally}
 */
export function ofPlaywright({ stats, errors, suites }) {
  return {
    passed: stats.expected,
    failed: [
      ...suites.flatMap(failedIn),
      ...errors.map(({ message }) => because('an error outside of any test', [message])),
    ],
    skipped: stats.skipped,
  }
}

/** Each error outside of a test is a failure. @param {Tally} tally @param {readonly string[]} errors @returns {Tally} */
export function withCrashes(tally, errors) {
  return {
    ...tally,
    failed: [...tally.failed, ...errors.map((error) => because('an error outside of any test', [error]))],
  }
}

/**
 * A runner that ended badly without one failed test has crashed, and so has one without a report: that is a failure too.
 *
 * @param {Tally | null} tally null if there is no report
 * @param {number} code its exit code
 * @returns {Tally}
 */
export function withExit(tally, code) {
  if (tally === null) return one(`ended with exit code ${code} and without a report`, false)
  if (code === 0 || tally.failed.length > 0) return tally
  return { ...tally, failed: [`ended with exit code ${code}`] }
}

/** @param {string} stage @param {Tally} tally @returns {Tally} */
export function under(stage, tally) {
  return { ...tally, failed: tally.failed.map((name) => `${stage}: ${name}`) }
}

/** A tally of a single thing that passed or failed. @param {string} name @param {boolean} ok @returns {Tally} */
export function one(name, ok) {
  return { passed: ok ? 1 : 0, failed: ok ? [] : [name], skipped: 0 }
}

/** @type {Tally} */
export const skipped = { passed: 0, failed: [], skipped: 1 }
