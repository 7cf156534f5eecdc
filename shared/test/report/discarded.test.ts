import { expect, it } from 'vitest'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { measurement } from '../../src/measure/measurement.ts'
import { reportPieces } from '../../src/report/file.ts'
import type { Report } from '../../src/report/model.ts'
import { walk } from './samples.ts'

const benchmark = { tool: 'forward-max', flows: 1, packetBytes: 64 }
const plan = experimentPlan.parse({
  arms: ['tc', 'xdp'].map((id) => ({ id, label: id, settings: { 'nodeport-hook': id } })),
  cases: [{ id: 'small', label: '64-byte packets', family: 'ipv4', benchmark }],
  design: { order: 'interleaved', repeats: 1, seconds: 1, warmups: 0, budget: null },
})

/** An experiment whose only measurement needed more than one attempt. */
function discarding(discarded: number): Report {
  const plain = walk()
  const [run] = plain.runs
  const repeat = run?.repeats.find(({ warmup }) => !warmup)
  if (run === undefined || repeat === undefined) throw new Error('the walk has no measurement')
  const taken = measurement.parse({ ...repeat.measurement, benchmark, values: { discarded, cpuPerPacket: 143 } })
  return { ...plain, runs: [{ ...run, plan, repeats: [{ ...repeat, measurement: taken }] }] }
}

it.each(['md', 'html'] as const)('a report as %s says how many runs were discarded, and by which rule', (format) => {
  const report = [...reportPieces(discarding(2), format)].join('')
  expect(report).toContain('2 runs were discarded. A run that loses a packet is discarded and made again')
})

it('without a rule it says nothing about it', () => {
  expect([...reportPieces(walk(), 'md')].join('')).not.toContain('discarded')
})
