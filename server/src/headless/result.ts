/** From a session's runs to the JSON that scripts read. */
import { compareArms } from '@expresslane/shared/compare/compare'
import { LabError } from '@expresslane/shared/wire/errors'
import { labResult, type ExperimentsResult, type LabResult } from '@expresslane/shared/wire/headless'
import type { Lab } from '@expresslane/shared/labs/lab'
import { medianPackets } from '@expresslane/shared/measure/measurement'
import { armMeasurements, armRun, currentWalk } from '@expresslane/shared/run/progress'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { TestbedFacts } from '@expresslane/shared/testbed/testbed'

function armResult(lab: Lab, runs: readonly RunState[], id: string): LabResult['arms'][number] {
  const measurements = armMeasurements(lab, runs, id)
  const kernel = armRun(lab, runs, id)?.datapath?.kernel ?? []
  return {
    id,
    family: lab.families[0] ?? 'ipv4',
    measurements: measurements.map(({ tps, throughput, latency }) => {
      const { min, mean, p50, p90, p99, max } = latency
      return { tps, gbps: throughput / 1e9, latencyUs: { min, mean, p50, p90, p99, max } }
    }),
    packetsPerRequest: medianPackets(measurements),
    readings: kernel.map(({ device, where, gsoMaxSize, gsoIpv4MaxSize, groMaxSize, groIpv4MaxSize }) => ({
      device,
      where,
      gsoMaxSize,
      gsoIpv4MaxSize,
      groMaxSize,
      groIpv4MaxSize,
    })),
  }
}

function factsOf(runs: readonly RunState[]): TestbedFacts {
  const facts = runs.findLast((run) => run.facts !== null)?.facts
  if (facts !== undefined && facts !== null) return facts
  throw new LabError('step_not_ready', 'The lab did not measure anything.', 'Run it again and read its output.')
}

/**
 * The result of a completed walk with two arms.
 *
 * @throws LabError `step_not_ready` when an arm was not measured
 */
export function resultOf(lab: Lab, runs: readonly RunState[]): LabResult {
  const facts = factsOf(runs)
  const compared = compareArms(armMeasurements(lab, runs, 'off'), armMeasurements(lab, runs, 'on'))
  const tps = compared?.rows.find((row) => row.metric === 'tps')
  if (compared === null || tps === undefined) {
    throw new LabError('step_not_ready', 'The lab did not measure both sides.', 'Run it again and read its output.')
  }
  const { off, on, changePercent, ratio, interval, p, effectSize, verdict } = tps
  return labResult.parse({
    lab: lab.id,
    testbed: { kind: facts.kind, kernel: facts.kernel, facts },
    arms: [armResult(lab, runs, 'off'), armResult(lab, runs, 'on')],
    comparison: {
      metric: 'tps',
      off,
      on,
      changePercent,
      ratio,
      interval,
      p,
      effectSize,
      verdict,
      sentence: compared.sentence,
    },
  })
}

/** Does the lab measure by experiments, or capture, instead of measuring its two arms step by step? */
export function hasExperiments(lab: Lab): boolean {
  return lab.steps.some(({ action }) => action?.kind === 'experiment' || action?.kind === 'capture')
}

/**
 * The result of a completed walk of such a lab: each step's latest run.
 *
 * @throws LabError `step_not_ready` when nothing was read
 */
export function experimentsOf(lab: Lab, runs: readonly RunState[]): ExperimentsResult {
  const facts = factsOf(runs)
  const latest = lab.steps.flatMap(({ id }) => currentWalk(runs).findLast((run) => run.stepId === id) ?? [])
  return {
    lab: lab.id,
    testbed: { kind: facts.kind, kernel: facts.kernel, facts },
    experiments: latest.flatMap(({ stepId, plan, repeats, comparisons }) => {
      const measurements = repeats.flatMap(({ measurement }) => measurement ?? [])
      return plan === null ? [] : [{ step: stepId, plan, measurements, comparisons }]
    }),
    captures: latest.flatMap(({ stepId, capture }) => (capture === null ? [] : [{ step: stepId, ...capture }])),
  }
}
