/** From a session's runs to the JSON that scripts read. */
import { compareArms } from '@expresslane/shared/compare'
import { LabError } from '@expresslane/shared/errors'
import { labResult, type LabResult } from '@expresslane/shared/headless'
import type { Lab } from '@expresslane/shared/lab'
import { medianPackets, type Arm } from '@expresslane/shared/measurement'
import { armMeasurements, armRun } from '@expresslane/shared/progress'
import type { RunState } from '@expresslane/shared/run-state'

function armResult(lab: Lab, runs: readonly RunState[], id: Arm): LabResult['arms'][number] {
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

/**
 * The result of a completed walk.
 *
 * @throws LabError `step_not_ready` when an arm was not measured
 */
export function resultOf(lab: Lab, runs: readonly RunState[]): LabResult {
  const facts = runs.findLast((run) => run.facts !== null)?.facts
  const compared = compareArms(armMeasurements(lab, runs, 'off'), armMeasurements(lab, runs, 'on'))
  const tps = compared?.rows.find((row) => row.metric === 'tps')
  if (facts === undefined || facts === null || tps === undefined) {
    throw new LabError('step_not_ready', 'The lab did not measure both sides.', 'Run it again and read its output.')
  }
  return labResult.parse({
    lab: lab.id,
    testbed: { kind: facts.kind, kernel: facts.kernel, facts },
    arms: [armResult(lab, runs, 'off'), armResult(lab, runs, 'on')],
    comparison: { metric: 'tps', off: tps.off, on: tps.on, changePercent: tps.changePercent },
  })
}
