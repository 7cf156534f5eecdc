import { LabError } from '@expresslane/shared/errors'
import type { Observation } from '@expresslane/shared/events'
import type { Action, StepParams } from '@expresslane/shared/lab'
import { expectedPackets, median, type Measurement } from '@expresslane/shared/measurement'
import type { DatapathState } from '@expresslane/shared/reading'
import { familyName, formatBitRate, formatTps, payloadRate } from '@expresslane/shared/units'
import { createTcpRrReader, tcpRrArgv } from '../../tools/netperf.ts'
import { packetRate, type PairCounters } from '../../tools/tcp-counters.ts'
import { observePath, sizeFor } from '../expectations.ts'
import { judge, readPath, type Act, type Performance } from '../performance.ts'
import { readPairCounters } from '../pod-counters.ts'
import { noPods } from './read.ts'

type Measure = Extract<Action, { kind: 'measure' }>

/** Connection set-up and a rare probe add a little to the packets; a wrong packet size is off by one or more. */
const PACKET_TOLERANCE = 0.25

function settings(action: Measure, params: StepParams): { repeats: number; seconds: number } {
  return { repeats: params.repeats ?? action.repeats.default, seconds: params.seconds ?? action.seconds.default }
}

/** Refuses to measure an arm that is not what its name says. */
function requireArm(action: Measure, datapath: DatapathState): string {
  const { family, arm } = action
  const address = datapath.placement?.server.addresses[family]
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

async function runNetperf(action: Measure, address: string, seconds: number, repeat: number, performance: Performance) {
  const { requestBytes, responseBytes } = action
  const argv = tcpRrArgv({ address, seconds, requestBytes, responseBytes })
  const reader = createTcpRrReader()
  let ended: { code: number | null; signal: string | null } = { code: null, signal: null }
  for await (const item of performance.testbed.exec('client', argv, performance)) {
    if (item.type === 'exit') {
      ended = item
      continue
    }
    const sample = reader.read(item.text)
    if (sample !== null) performance.emit({ type: 'sample.taken', repeat, ...sample })
  }
  return reader.finish(ended)
}

/** @returns the measurement, and the counters after it */
async function measureOnce(
  action: Measure,
  address: string,
  seconds: number,
  repeat: number,
  before: PairCounters,
  performance: Performance,
): Promise<{ measurement: Measurement; after: PairCounters }> {
  const { arm, family, requestBytes, responseBytes } = action
  const startedAt = performance.now()
  const result = await runNetperf(action, address, seconds, repeat, performance)
  const after = await readPairCounters(performance.testbed, performance)
  const measurement = {
    arm,
    family,
    repeat,
    startedAt,
    requestBytes,
    responseBytes,
    ...result,
    throughput: payloadRate(result.tps, requestBytes),
    packets: packetRate(before, after, result.tps * result.elapsedSeconds),
  }
  return { measurement, after }
}

function observePackets(label: string, seen: number[], expected: number | null): Observation {
  const middle = seen.length === 0 ? null : median(seen)
  return {
    label,
    expected: expected === null ? 'unknown' : `about ${expected}`,
    seen: middle === null ? 'unknown' : middle.toFixed(2),
    ok: middle !== null && expected !== null && Math.abs(middle - expected) <= PACKET_TOLERANCE,
  }
}

function observe(action: Measure, datapath: DatapathState, taken: readonly Measurement[]): Observation[] {
  const { arm, family, requestBytes, responseBytes } = action
  const limit = sizeFor(arm, datapath)
  const mtu = datapath.kernel.find((device) => device.role === 'pod')?.mtu
  const expect = (size: typeof requestBytes): number | null =>
    limit === null || mtu === undefined ? null : expectedPackets(size, limit, mtu, family)
  const packets = taken.flatMap((one) => (one.packets === null ? [] : [one.packets]))
  const requests = packets.map((one) => one.perRequest)
  const responses = packets.map((one) => one.perResponse)
  return [
    observePackets('data packets a request', requests, expect(requestBytes)),
    observePackets('data packets a response', responses, expect(responseBytes)),
  ]
}

/** Repeats TCP_RR; passes when the packets prove that the arm was what it is called, at whatever speed. */
export const measure: Act<'measure'> = async (action, performance) => {
  const { arm, family } = action
  const { repeats, seconds } = settings(action, performance.params)
  const [datapath, facts] = await Promise.all([readPath(performance), performance.testbed.facts(performance)])
  const address = requireArm(action, datapath)
  performance.emit({ type: 'facts.read', facts })
  const taken: Measurement[] = []
  // Nothing crosses the pods between two repeats: what one ends with, the next begins with.
  let counters = await readPairCounters(performance.testbed, performance)
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    performance.emit({ type: 'repeat.started', arm, family, repeat, repeats, seconds })
    const { measurement, after } = await measureOnce(action, address, seconds, repeat, counters, performance)
    counters = after
    performance.emit({ type: 'measurement.taken', measurement })
    taken.push(measurement)
  }
  const tps = median(taken.map((one) => one.tps))
  const rate = median(taken.map((one) => one.throughput))
  const speed = `${formatTps(tps)}, ${formatBitRate(rate)} each way (median of ${repeats})`
  return judge(
    observe(action, datapath, taken),
    `Measured: ${speed}.`,
    () => `Measured: ${speed}. But the packets a request took are not what this side of the comparison should show.`,
  )
}
