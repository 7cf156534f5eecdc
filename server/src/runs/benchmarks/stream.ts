/** One TCP stream from client to server, as fast as it goes. */
import type { StreamBenchmark } from '@expresslane/shared/benchmark'
import { LabError } from '@expresslane/shared/errors'
import type { StreamMeasurement } from '@expresslane/shared/measurement'
import type { Performance } from '../performance.ts'
import type { Counted, Invocation } from './invocation.ts'

/** @throws LabError what the tool's reader and the testbed throw; `signal.reason` */
export function runStream(
  _invocation: Invocation,
  { tool }: StreamBenchmark,
  _performance: Performance,
): Promise<Counted<StreamMeasurement>> {
  return Promise.reject(new LabError('tool_missing', `${tool} is not there yet.`, 'Choose TCP_RR.'))
}
