/** The events of an experiment with the feature of `naps.ts`: two arms, four runs each. */
import { compareCases } from '../../src/compare/cases.ts'
import { experimentPlan } from '../../src/measure/experiment.ts'
import { measurement } from '../../src/measure/measurement.ts'
import type { RunEvent } from '../../src/run/events.ts'
import { testbedFacts } from '../../src/testbed/testbed.ts'
import { started } from '../builders.ts'
import { METRIC, TOOL } from './naps.ts'

const benchmark = { tool: TOOL, pillow: true }
export const plan = experimentPlan.parse({
  arms: [
    { id: 'awake', label: 'Awake', settings: { 'nap-length': 0 } },
    { id: 'napping', label: 'Napping', settings: { 'nap-length': 10 } },
  ],
  cases: [{ id: 'sofa', label: 'Sofa', family: 'ipv4', benchmark }],
  design: { order: 'interleaved', repeats: 4, seconds: 1, warmups: 0, budget: null },
})
const rates = { awake: [2, 3, 2, 3], napping: [20, 22, 21, 23] }
const taken = Object.entries(rates).flatMap(([arm, values], place) =>
  values.map((value, index) =>
    measurement.parse({
      arm,
      caseId: 'sofa',
      family: 'ipv4',
      repeat: index * 2 + place + 1,
      startedAt: 1,
      elapsedSeconds: 1,
      benchmark,
      values: { [METRIC]: value },
    }),
  ),
)
const facts = testbedFacts.parse({
  kind: 'netns',
  name: 'this machine',
  incarnation: 'one',
  kernel: '6.18',
  os: 'Debian',
  cpu: { model: 'x', count: 2, governor: null },
  load: 0,
  nodes: [],
  versions: {},
})
/** Once the feature is registered: a comparison asks for its metric. */
export function napsRun() {
  const comparisons = compareCases(plan, 'sequential', taken, 'all')
  const events: RunEvent[] = [
    started({ stepId: 'nap' }),
    { type: 'facts.read', facts },
    { type: 'experiment.planned', plan },
    ...taken.flatMap((one): RunEvent[] => {
      const { arm, caseId, family, repeat, warmup } = one
      const sample = { atSeconds: 0.5, seconds: null, omitted: false, values: one.values }
      return [
        { type: 'repeat.started', arm, caseId, family, warmup, benchmark, repeat, repeats: 8, seconds: 1 },
        { type: 'sample.taken', repeat, sample },
        { type: 'measurement.taken', measurement: one },
      ]
    }),
    { type: 'cases.compared', comparisons },
    { type: 'run.ended', state: 'completed', problem: null },
  ]
  return { comparisons, events }
}
