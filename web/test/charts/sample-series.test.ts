import type { Sample } from '@expresslane/shared/measure/measurement'
import type { RepeatState } from '@expresslane/shared/run/run-state'
import { expect, test } from 'vitest'
import { highestRate, sampledRepeats, sampleRows } from '../../src/charts/sample-series.ts'

function interval(atSeconds: number, gigabits: number, omitted = false): Sample {
  return { atSeconds, seconds: 1, omitted, values: { throughput: gigabits * 1e9, retransmits: 3, cwnd: 556_032 } }
}

function repeatOf(samples: Sample[], tool = 'iperf3'): RepeatState {
  const common = { arm: 'off', caseId: 's', warmup: false, family: 'ipv4', repeat: 1, repeats: 2, seconds: 2 } as const
  return { ...common, instructionsPerMicrosecond: null, benchmark: { tool }, samples, measurement: null }
}

const repeat = repeatOf([interval(1, 5, true), interval(2, 10), interval(3, 20)])
const metrics = ['throughput', 'retransmits', 'cwnd']

test('rows show what the tool reports, and a dash where it reports nothing', () => {
  expect(sampleRows(repeat.samples, metrics, null)[0]).toEqual({
    time: '0.0–1.0 s',
    cells: ['5.0 Gbit/s', '3', '543K'],
    omitted: true,
  })
  const unknown = { ...interval(1, 5), seconds: null, values: { throughput: 5e9, retransmits: null } }
  expect(sampleRows([unknown], metrics, null)[0]).toEqual({
    time: '1.0 s',
    cells: ['5.0 Gbit/s', '–', '–'],
    omitted: false,
  })
})

test('only tools whose samples are worth a row are shown so, once there is one', () => {
  expect(sampledRepeats([repeatOf([]), repeatOf([interval(1, 5)], 'tcp-rr'), repeat])).toEqual([repeat])
})

test('repeats that are shown one at a time share the highest rate of all', () => {
  expect(highestRate([repeat, repeatOf([interval(1, 30)])], 'throughput')).toBe(30e9)
})
