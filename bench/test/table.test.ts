import { expect, test } from 'vitest'
import { withRows } from '../src/support/table.ts'

const head = ['| what | bound | measured | how | holds |', '| --- | --- | --- | --- | --- |']
const row = { what: 'Waits', bound: '<= 2 s', measured: '1 s', how: 'once', holds: true }

test('a row takes the place of that with the same name, and a new one is the last of its table', () => {
  const text = ['# Measured', '', ...head, '| Waits | <= 2 s | 3 s | once | **no** |', '', 'Text.'].join('\n')
  const rows = [row, { ...row, what: 'Starts', holds: false }]
  expect(withRows(text, rows).split('\n')).toEqual([
    '# Measured',
    '',
    ...head,
    '| Waits | <= 2 s | 1 s | once | yes |',
    '| Starts | <= 2 s | 1 s | once | **no** |',
    '',
    'Text.',
  ])
})
