import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { MOST_AHEAD, readLines } from '../../../src/testbeds/machine/read-lines.ts'
import type { Line } from '../../../src/testbeds/machine/spawner-messages.ts'

function numbered(from: number, count: number): string {
  return Array.from({ length: count }, (_, index) => `${from + index}\n`).join('')
}

test('a process that prints faster than its lines are taken has to wait', async () => {
  const outputs = { stdout: new PassThrough(), stderr: new PassThrough() }
  const passed: Line[] = []
  const { taken } = readLines(outputs, (lines) => void passed.push(...lines))
  outputs.stdout.write(numbered(0, MOST_AHEAD))
  await setImmediate()
  expect(passed).toHaveLength(MOST_AHEAD)
  expect([outputs.stdout.isPaused(), outputs.stderr.isPaused()]).toEqual([true, true])
  outputs.stdout.write(numbered(MOST_AHEAD, 10))
  await setImmediate()
  expect(passed).toHaveLength(MOST_AHEAD)
  taken(MOST_AHEAD)
  await setImmediate()
  expect(passed.map(([, text]) => Number(text))).toEqual(Array.from({ length: MOST_AHEAD + 10 }, (_, index) => index))
})

test('lines that are printed together are passed on together', async () => {
  const outputs = { stdout: new PassThrough(), stderr: new PassThrough() }
  const passed: (readonly Line[])[] = []
  readLines(outputs, (lines) => void passed.push(lines))
  outputs.stdout.write(numbered(1, 3))
  await setImmediate()
  expect(passed).toEqual([
    [
      ['stdout', '1'],
      ['stdout', '2'],
      ['stdout', '3'],
    ],
  ])
})
