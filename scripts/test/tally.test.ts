import { expect, test } from 'vitest'
import { line, ofPlaywright, ofVitest, sum, withExit } from '../testing/tally.mjs'

test('a file that could not be read counts as a failed test', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      { status: 'passed', assertionResults: [{ status: 'passed' }] },
      { status: 'failed', assertionResults: [{ status: 'failed' }] },
      { status: 'failed', assertionResults: [] },
    ],
  }
  expect(ofVitest(report)).toEqual({ passed: 3, failed: 2, skipped: 1 })
})

test('a test that passed only when repeated has failed', () => {
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 0 }
  expect(ofPlaywright({ stats, errors: ['the server did not start'] })).toEqual({ passed: 5, failed: 3, skipped: 0 })
})

test('a runner that crashed without a failed test is a failure', () => {
  expect(withExit({ passed: 5, failed: 0, skipped: 0 }, 139).failed).toBe(1)
  expect(withExit({ passed: 5, failed: 2, skipped: 0 }, 1).failed).toBe(2)
  expect(withExit({ passed: 5, failed: 0, skipped: 0 }, 0).failed).toBe(0)
})

test('the line', () => {
  const all = sum([
    { passed: 5, failed: 0, skipped: 0 },
    { passed: 2, failed: 1, skipped: 0 },
  ])
  expect(line(all)).toBe('7 passed, 1 failed')
  expect(line({ ...all, skipped: 2 })).toBe('7 passed, 1 failed, 2 skipped')
})
