import { expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'
import { exitCodeOf, failures, line, ofPlaywright, ofVitest, one, sum, under, withExit } from '../testing/tally.mjs'

test('a file that could not be read counts as a failed test', () => {
  const passed = { status: 'passed', fullName: 'a works' }
  const report = {
    numPassedTests: 3,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      { name: inRoot('a.test.ts'), status: 'passed', assertionResults: [passed] },
      { name: inRoot('b.test.ts'), status: 'failed', assertionResults: [passed, { status: 'failed', fullName: 'b' }] },
      { name: inRoot('c', 'c.test.ts'), status: 'failed', assertionResults: [] },
    ],
  }
  expect(ofVitest(report)).toEqual({ passed: 3, failed: ['b.test.ts: b', 'c/c.test.ts'], skipped: 1 })
})

test('a test that passed only when repeated has failed', () => {
  const spec = (title: string, status: string) => ({ title, file: 'lab.spec.ts', tests: [{ status }] })
  const inner = { specs: [spec('second', 'flaky'), spec('third', 'skipped')] }
  const suites = [{ specs: [spec('first', 'unexpected'), spec('fourth', 'expected')], suites: [inner] }]
  const report = { stats: { expected: 5, skipped: 1 }, errors: [{ message: 'the server did not start' }], suites }
  expect(ofPlaywright(report)).toEqual({
    passed: 5,
    failed: ['lab.spec.ts: first', 'lab.spec.ts: second', 'the server did not start'],
    skipped: 1,
  })
})

test('a runner that crashed without a failed test is a failure', () => {
  const well = { passed: 5, failed: [], skipped: 0 }
  expect(withExit(well, 139).failed).toEqual(['ended with exit code 139'])
  expect(withExit({ ...well, failed: ['a', 'b'] }, 1).failed).toEqual(['a', 'b'])
  expect(withExit(well, 0).failed).toEqual([])
  expect(withExit(null, 0).failed).toEqual(['ended with exit code 0 and without a report'])
})

test('the line', () => {
  const all = sum([
    { passed: 5, failed: [], skipped: 0 },
    { passed: 2, failed: ['a'], skipped: 0 },
  ])
  expect(line(all)).toBe('7 passed, 1 failed')
  expect(line({ ...all, skipped: 2 })).toBe('7 passed, 1 failed, 2 skipped')
  expect(exitCodeOf(all)).toBe(1)
})

test('the failed tests are named, each with its stage and on one line', () => {
  expect(failures(one('lint', true))).toEqual([])
  const long = under('browser', { passed: 0, failed: [`lab.spec.ts: ${'x'.repeat(500)}`, 'two\n  lines'], skipped: 0 })
  const [title, first, second] = failures(long)
  expect(title).toBe('Failed:')
  expect(first).toMatch(/^ {2}browser: lab\.spec\.ts: x{100,}$/)
  expect(first?.length).toBeLessThan(210)
  expect(second).toBe('  browser: two lines')
  const many = failures({ ...long, failed: Array.from({ length: 60 }, (_, index) => `${index}`) })
  expect(many).toHaveLength(52)
  expect(many.at(-1)).toBe('  and 10 more')
})
