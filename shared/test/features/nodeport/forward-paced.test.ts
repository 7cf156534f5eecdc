import { expect, test } from 'vitest'
import {
  brokenRule,
  forwardPaced,
  forwardPacedBenchmark,
  type BrokenRule,
  type PacedRun,
} from '../../../src/features/nodeport/forward-paced.ts'
import { caseScale } from '../../../src/compare/case-scale.ts'

const good: PacedRun = { offered: 1_000, sent: 1_000, arrived: 1_000, idlePercent: 60, waitingPercent: 0 }

test.each<[string, Partial<PacedRun>, BrokenRule | null]>([
  ['nothing is wrong', {}, null],
  ['the thread waited a little', { waitingPercent: 9.9 }, null],
  ['the thread waited', { waitingPercent: 10 }, 'waiting'],
  ['the sender shared its CPU', { sent: 100, arrived: 100 }, null],
  ['the sender hardly had its turn', { sent: 99, arrived: 99 }, 'sent'],
  ['the queue was full at times', { arrived: 950 }, null],
  ['packets were lost, with CPU left', { arrived: 949 }, 'lost'],
  ['packets were lost, without any CPU left', { arrived: 400, idlePercent: 1 }, null],
  ['the thread waited and lost', { arrived: 400, idlePercent: 1, waitingPercent: 40 }, 'waiting'],
])('%s', (_, run, rule) => expect(brokenRule({ ...good, ...run })).toBe(rule))

test('a rate has bounds, and the rest its defaults', () => {
  expect(forwardPacedBenchmark.parse({ tool: 'forward-paced', rate: 125_000 })).toEqual({
    tool: 'forward-paced',
    rate: 125_000,
    flows: 1,
    packetBytes: 64,
  })
  for (const rate of [999, 5_000_001, 1_000.5]) {
    expect(forwardPacedBenchmark.safeParse({ tool: 'forward-paced', rate }).success).toBe(false)
  }
  expect(forwardPaced.describe({ tool: 'forward-paced', rate: 125_000, flows: 3 })?.value).toBe(
    '125 kpps, 64 bytes, 3 flows',
  )
  expect(forwardPaced.describe({ tool: 'forward-paced' })).toBeNull()
})

test('cases that differ by the rate are drawn over it', () => {
  const cases = [125_000, 250_000, 500_000].map((rate) => ({
    id: `kpps-${rate}`,
    label: `${rate}`,
    family: 'ipv4' as const,
    benchmark: { ...forwardPaced.usual, rate },
  }))
  const scale = caseScale({ cases })
  expect(scale?.name).toBe('Offered rate')
  expect(scale?.stops.map(({ words }) => words)).toEqual(['125 kpps', '250 kpps', '500 kpps'])
})
