import { RECORDED_EVENTS, RECORDING_BYTES } from '@expresslane/shared/recordings/recording'
import { expect, it } from 'vitest'
import { spaceFor, untilFull, type RunWeight } from '../../src/replay/space.ts'

const MB = 1_000_000
const weight = (bytes: number, count = Math.ceil(bytes / 100)) => ({ bytes, count })
const run = (state: number, line: number, sample = 0): RunWeight => ({
  state: weight(state),
  line: weight(line),
  sample: weight(sample),
})

/** The bytes that a recording of these runs takes with the space that is left for them. */
function taken(runs: readonly RunWeight[]): number {
  const space = spaceFor(runs)
  if (space === null) throw new Error('no space')
  const around = ({ bytes, count }: { bytes: number; count: number }): number => bytes + count * 48
  return runs.reduce((sum, { state, line, sample }, place) => {
    const lines = Math.min(around(line), space.lines[place]?.bytes ?? 0)
    return sum + around(state) + around(sample) / space.everySample + lines
  }, 0)
}

it('keeps all of what has space', () => {
  const space = spaceFor([run(MB, 2 * MB, MB), run(MB, 0)])
  expect(space?.everySample).toBe(1)
  expect(space?.lines.every(({ bytes }) => bytes > 2 * MB)).toBe(true)
})

it('shortens the longest outputs first', () => {
  const runs = [run(MB, MB), run(MB, 80 * MB), run(MB, 2 * MB)]
  expect(taken(runs)).toBeLessThan(RECORDING_BYTES)
  expect(taken(runs)).toBeGreaterThan(0.85 * RECORDING_BYTES)
  const lines = spaceFor(runs)?.lines.map(({ bytes }) => bytes) ?? []
  expect(Math.min(...lines)).toBeGreaterThan(3 * MB)
})

it('thins samples, too', () => {
  const runs = [run(MB, 80 * MB, 60 * MB)]
  expect(spaceFor(runs)?.everySample).toBeGreaterThan(4)
  expect(taken(runs)).toBeLessThan(RECORDING_BYTES)
  const many = { ...run(MB, 0), sample: { bytes: 8 * MB, count: RECORDED_EVENTS } }
  expect(spaceFor([many])?.everySample).toBeGreaterThanOrEqual(4)
})

it('has none for more than the states', () => {
  expect(spaceFor([run(20 * MB, 0), run(20 * MB, 0)])).toBeNull()
})

it('counts lines until they are full', () => {
  const fits = untilFull({ bytes: 300, count: 5 })
  expect([fits(100), fits(100), fits(100)]).toEqual([true, true, false])
  const few = untilFull({ bytes: 10_000, count: 1 })
  expect([few(1), few(1)]).toEqual([true, false])
})
