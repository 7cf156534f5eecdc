import { expect, test } from 'vitest'
import { measurement, type Measurement } from '../../src/measure/measurement.ts'
import { discardedWords } from '../../src/run/discarded.ts'

function taken(tool: string, ...values: (readonly [discarded: number, idle: number | null])[]): Measurement[] {
  return values.map(([discarded, cpuIdle], index) =>
    measurement.parse({
      arm: 'xdp',
      family: 'ipv4',
      repeat: index + 1,
      startedAt: 1,
      elapsedSeconds: 1,
      benchmark: { tool, rate: 125_000 },
      values: { discarded, cpuIdle },
    }),
  )
}

test.each([
  ['none', taken('forward-paced', [0, 90], [0, 91]), 'No run was discarded. A run is discarded'],
  ['one', taken('forward-paced', [1, 90], [0, 91]), 'One run was discarded. A run is discarded'],
  [
    'measurements without a result',
    taken('forward-paced', [10, null], [1_200, 91]),
    '1,210 runs were discarded. 1 of 2 measurements have no result. A run is discarded',
  ],
])('%s', (_, measurements, words) => expect(discardedWords(measurements)).toContain(words))

test('a tool without a rule discards nothing', () => {
  expect(discardedWords(taken('tcp-rr', [0, null]))).toBeNull()
  expect(discardedWords([])).toBeNull()
})
