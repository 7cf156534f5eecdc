import { describe, expect, test } from 'vitest'
import { caseScale, scaleLines } from '../../src/compare/case-scale.ts'
import type { TestCase } from '../../src/measure/experiment.ts'
import { measurement, type Measurement } from '../../src/measure/measurement.ts'

const withServices = (count: number): TestCase => ({
  id: `s${count}`,
  label: `${count}`,
  family: 'ipv4',
  benchmark: { tool: 'new-flows', packetBytes: 64 },
  settings: { 'nodeport-services': count },
})
const ofSize = (packetBytes: number): TestCase => ({
  id: `p${packetBytes}`,
  label: `${packetBytes}`,
  family: 'ipv4',
  benchmark: { tool: 'new-flows', packetBytes },
})

describe('the scale of cases', () => {
  test('is a setting of theirs, in the order of its values', () => {
    const scale = caseScale({ cases: [5_000, 1, 1_000].map(withServices) })
    expect(scale?.name).toBe('Services')
    expect(scale?.stops.map(({ caseId, words }) => [caseId, words])).toEqual([
      ['s1', '1'],
      ['s1000', '1,000'],
      ['s5000', '5,000'],
    ])
  })

  test('is a parameter of the tool that has a name', () => {
    const scale = caseScale({ cases: [64, 512, 1_514].map(ofSize) })
    expect(scale).toMatchObject({ name: 'Packet size', stops: [{ words: '64 bytes' }, {}, { words: '1,514 bytes' }] })
  })

  test.each([
    ['two cases', [1, 100].map(withServices)],
    ['equal numbers', [1, 1, 100].map((count, index) => ({ ...withServices(count), id: `c${index}` }))],
    ['two families', [withServices(1), withServices(2), { ...withServices(3), family: 'ipv6' as const }]],
    ['two tools', [withServices(1), withServices(2), { ...ofSize(64), benchmark: { tool: 'tcp-rr' } }]],
    ['two numbers', [100, 200, 300].map((one) => ({ ...ofSize(one), settings: { 'nodeport-services': one } }))],
  ])('there is none for %s', (_what, cases) => expect(caseScale({ cases })).toBeNull())
})

test('each arm that was measured is a line of medians', () => {
  const cases = [1, 100, 1_000].map(withServices)
  const arms = ['nftables', 'iptables', 'xdp'].map((id) => ({ id, label: id, settings: {} }))
  const taken = cases.flatMap(({ id, benchmark }, place): Measurement[] =>
    ['nftables', 'iptables'].flatMap((arm) =>
      [0, 1, 2, 3, 4, 5].map((run) =>
        measurement.parse({
          arm,
          caseId: id,
          family: 'ipv4',
          repeat: run + 1,
          startedAt: 1,
          elapsedSeconds: 1,
          benchmark,
          values: { cpuPerNewFlow: arm === 'nftables' ? 5 + run / 10 : 10 ** place + run },
        }),
      ),
    ),
  )
  const scale = caseScale({ cases })
  if (scale === null) throw new Error('the cases have a scale')
  const lines = scaleLines({ arms }, scale, 'cpuPerNewFlow', taken)
  expect(lines.map(({ arm, place, points }) => [arm, place, points.map(({ median }) => median)])).toEqual([
    ['nftables', 0, [5.25, 5.25, 5.25]],
    ['iptables', 1, [3.5, 12.5, 102.5]],
  ])
  expect(lines[1]?.points[2]?.interval).toMatchObject({ low: 100, high: 105 })
})
