import { LabError } from '@expresslane/shared/wire/errors'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import type { Action, StepParams } from '@expresslane/shared/labs/lab'
import { median, type RequestResponseMeasurement } from '@expresslane/shared/measure/measurement'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { podOf, SERVER } from '@expresslane/shared/testbed/placement'
import { familyName, formatBitRate, formatTps } from '@expresslane/shared/measure/units'
import { runRequestResponse } from '../benchmarks/request-response.ts'
import { observePackets, observePath, sizeFor } from '../expectations.ts'
import { judge, readPath, type Act } from '../performance.ts'
import { readPairCounters } from '../pod-counters.ts'
import { noPods } from './read.ts'

type Measure = Extract<Action, { kind: 'measure' }>

function settings(action: Measure, params: StepParams): { repeats: number; seconds: number } {
  return { repeats: params.repeats ?? action.repeats.default, seconds: params.seconds ?? action.seconds.default }
}

/** Refuses to measure an arm that is not what its name says. */
function requireArm(action: Measure, datapath: DatapathState): string {
  const { family, arm } = action
  const address = podOf(datapath.placement, SERVER)?.addresses[family]
  if (address === undefined || address === null) throw noPods()
  const wrong = observePath(datapath, family, { nodes: arm, pods: arm }).find((one) => !one.ok)
  if (wrong === undefined) return address
  const side = arm === 'on' ? 'with' : 'without'
  throw new LabError(
    'step_not_ready',
    `This would not measure ${familyName[family]} ${side} BIG TCP: ${wrong.label} has ${wrong.seen}.`,
    arm === 'on'
      ? 'Switch BIG TCP on and redeploy the pods first; another session may have put them back.'
      : 'Verify that BIG TCP is off and deploy the pods again, or press Reset and then Solve.',
    { detail: `expected ${wrong.expected ?? 'something else'}` },
  )
}

/** Repeats TCP_RR; passes when the packets prove that the arm was what it is called, at whatever speed. */
export const measure: Act<'measure'> = async (action, performance) => {
  const { arm, family, requestBytes, responseBytes } = action
  const { repeats, seconds } = settings(action, performance.params)
  const [datapath, facts] = await Promise.all([readPath(performance), performance.testbed.facts(performance)])
  const address = requireArm(action, datapath)
  performance.emit({ type: 'facts.read', facts })
  const taken: RequestResponseMeasurement[] = []
  const common = {
    arm,
    caseId: null,
    family,
    address,
    seconds,
    warmup: false,
    fingerprint: fingerprintOf(facts, datapath),
  }
  // Nothing crosses the pods between two repeats: what one ends with, the next begins with.
  let before = await readPairCounters(performance.testbed, performance)
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    performance.emit({ type: 'repeat.started', arm, caseId: null, warmup: false, family, repeat, repeats, seconds })
    const benchmark = { tool: 'tcp-rr', requestBytes, responseBytes } as const
    const { measurement, after } = await runRequestResponse({ ...common, repeat, before }, benchmark, performance)
    before = after
    performance.emit({ type: 'measurement.taken', measurement })
    taken.push(measurement)
  }
  const tps = median(taken.map((one) => one.tps))
  const rate = median(taken.map((one) => one.throughput))
  const speed = `${formatTps(tps)}, ${formatBitRate(rate)} each way (median of ${repeats})`
  return judge(
    observePackets(taken, sizeFor(arm, datapath), datapath),
    `Measured: ${speed}.`,
    () => `Measured: ${speed}. But the packets a request took are not what this side of the comparison should show.`,
  )
}
