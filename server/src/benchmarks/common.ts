/** The runners of the tools that any two pods can run. */
import type { commonBenchmarks } from '@expresslane/shared/measure/benchmarks/common'
import { runConnectRequest } from './connect-request.ts'
import type { RunBenchmark } from './invocation.ts'
import { runRequestResponse } from './request-response.ts'
import { runIperf3, runTcpStream } from './stream.ts'

/** By tool. A tool without a runner does not compile. */
export const commonRunners: Readonly<Record<(typeof commonBenchmarks)[number]['tool'], RunBenchmark>> = {
  'tcp-rr': runRequestResponse,
  'tcp-crr': runConnectRequest,
  'tcp-stream': runTcpStream,
  iperf3: runIperf3,
}
