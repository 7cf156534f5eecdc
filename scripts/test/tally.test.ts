import { expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'
import {
  exitCodeOf,
  failures,
  line,
  ofPlaywright,
  ofVitest,
  one,
  sum,
  under,
  withCrashes,
  withExit,
} from '../testing/tally.mjs'

test('a file that could not be read counts as a failed test', () => {
  const passed = { status: 'passed', fullName: 'a works' }
  const broken = {
    status: 'failed',
    fullName: 'b',
    failureMessages: ['Error: \u001B[31m1\u001B[39m is not 2\n    at b'],
  }
  const report = {
    numPassedTests: 3,
    numPendingTests: 1,
    numTodoTests: 0,
    testResults: [
      { name: inRoot('a.test.ts'), status: 'passed', assertionResults: [passed] },
      { name: inRoot('b.test.ts'), status: 'failed', assertionResults: [passed, broken] },
      { name: inRoot('c', 'c.test.ts'), status: 'failed', message: 'no such import', assertionResults: [] },
    ],
  }
  expect(ofVitest(report)).toEqual({
    passed: 3,
    failed: ['b.test.ts: b\nError: 1 is not 2\n    at b', 'c/c.test.ts\nno such import'],
    skipped: 1,
  })
})

test('a test that passed only when repeated has failed', () => {
  const results = [{ errors: [{ message: 'Timeout' }] }]
  const spec = (title: string, status: string) => ({ title, file: 'lab.spec.ts', tests: [{ status, results }] })
  const inner = { specs: [spec('second', 'flaky'), spec('third', 'skipped')] }
  const suites = [{ specs: [spec('first', 'unexpected'), spec('fourth', 'expected')], suites: [inner] }]
  const report = { stats: { expected: 5, skipped: 1 }, errors: [{ message: 'the server did not start' }], suites }
  expect(ofPlaywright(report)).toEqual({
    passed: 5,
    failed: [
      'lab.spec.ts: first\nTimeout',
      'lab.spec.ts: second\nTimeout',
      'an error outside of any test\nthe server did not start',
    ],
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

test('an error outside of a test is a failure, with its reason', () => {
  const unfinished = { passed: 5, failed: ['a.test.ts'], skipped: 0 }
  const { failed } = withCrashes(unfinished, ['Worker forks emitted error.\nCaused by: Worker exited unexpectedly'])
  expect(failures({ ...unfinished, failed })).toContain('      Caused by: Worker exited unexpectedly')
  expect(failed).toHaveLength(2)
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

test('the failed tests are named, each with its stage and the first lines of its error', () => {
  expect(failures(one('lint', true))).toEqual([])
  const why = ['two', 'Error: 1 is not 2', '', ...Array.from({ length: 20 }, (_, at) => `  at line ${at}`)].join('\n')
  const long = under('browser', { passed: 0, failed: [`lab.spec.ts: ${'x'.repeat(500)}`, why], skipped: 0 })
  const [title, first, second, ...lines] = failures(long)
  expect(title).toBe('Failed:')
  expect(first).toMatch(/^ {2}browser: lab\.spec\.ts: x{100,}$/)
  expect(first?.length).toBeLessThan(210)
  expect(second).toBe('  browser: two')
  expect(lines).toHaveLength(10)
  expect(lines.slice(0, 2)).toEqual(['      Error: 1 is not 2', '        at line 0'])
  const many = failures({ ...long, failed: Array.from({ length: 60 }, (_, index) => `${index}`) })
  expect(many).toHaveLength(52)
  expect(many.at(-1)).toBe('  and 10 more')
})
