/** How the tools are run that any two pods can run. `shared/src/tools/registry.ts` lists them. */
import { createRegistry } from '@expresslane/shared/base/registry'
import type { pairTools } from '@expresslane/shared/tools/registry'
import type { RunBenchmark } from '../benchmarks/invocation.ts'
import { runIperf3 } from './iperf3/run-iperf3.ts'
import { runTcpCrr, runTcpRr, runTcpStream } from './netperf/run-netperf.ts'

/** Runners by tool. */
export type Runners = Readonly<Record<string, RunBenchmark>>

/** A tool without a runner does not compile. */
const ours: Readonly<Record<(typeof pairTools)[number]['tool'], RunBenchmark>> = {
  'tcp-rr': runTcpRr,
  'tcp-crr': runTcpCrr,
  'tcp-stream': runTcpStream,
  iperf3: runIperf3,
}

export const runners = createRegistry<Runners>([ours])
