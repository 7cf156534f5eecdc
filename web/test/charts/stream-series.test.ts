import type { StreamInterval } from '@expresslane/shared/run/events'
import type { RepeatState } from '@expresslane/shared/run/run-state'
import { bitsPerSecond, bytes } from '@expresslane/shared/measure/units'
import { expect, test } from 'vitest'
import { highestRate, intervalRows, rateLine, streamRepeats } from '../../src/charts/stream-series.ts'

function interval(atSeconds: number, gigabits: number, omitted = false): StreamInterval {
  const rate = bitsPerSecond.parse(gigabits * 1e9)
  return { atSeconds, seconds: 1, bitsPerSecond: rate, retransmits: 3, cwnd: bytes.parse(556_032), omitted }
}

function repeatOf(intervals: StreamInterval[]): RepeatState {
  const told = { arm: 'off', caseId: 's', warmup: false, family: 'ipv4', repeat: 1, repeats: 2, seconds: 2 } as const
  return { ...told, samples: [], intervals, measurement: null }
}

const repeat = repeatOf([interval(1, 5, true), interval(2, 10), interval(3, 20)])

test('rows tell what the tool told, and a dash where it did not', () => {
  expect(intervalRows(repeat.intervals)[0]).toEqual({
    time: '0.0–1.0 s',
    rate: '5.0 Gbit/s',
    retransmits: '3',
    cwnd: '543K',
    omitted: true,
  })
  const [row] = intervalRows([{ ...interval(1, 5), retransmits: null, cwnd: null }])
  expect(row).toMatchObject({ retransmits: '–', cwnd: '–', omitted: false })
})

test('each rate stands at the middle of its interval, in Gbit/s', () => {
  const line = rateLine(repeat, highestRate([repeat]))
  expect(line.seconds).toBe(3)
  expect(line.omittedUntil).toBeCloseTo(100 / 3, 6)
  expect(line.points.map(({ x }) => Math.round(x))).toEqual([17, 50, 83])
  const top = line.ticks.at(-1) ?? 0
  expect(top).toBeGreaterThanOrEqual(20)
  expect(line.points.map(({ y }) => ((100 - y) / 100) * top)).toEqual(
    [5, 10, 20].map((value) => expect.closeTo(value, 6) as number),
  )
})

test('a stream that has only begun has room for its whole time', () => {
  const line = rateLine(repeatOf([interval(1, 5, true)]), 5e9)
  expect(line.seconds).toBe(3)
})

test('repeats without intervals are no streams', () => {
  expect(streamRepeats([repeatOf([]), repeat])).toEqual([repeat])
})
