/**
 * The tools that any two pods can run: labs of every feature can measure with them. A new tool is a folder next to this file, and
 * an entry here and in `server/src/tools/registry.ts`. A tool that only one feature can run comes with the feature.
 */
import { createRegistry } from '../base/registry.ts'
import type { BenchmarkKind } from '../measure/benchmark.ts'
import { iperf3 } from './iperf3/iperf3.ts'
import { tcpCrr } from './netperf/tcp-crr.ts'
import { tcpRr } from './netperf/tcp-rr.ts'
import { tcpStream } from './netperf/tcp-stream.ts'

/** In the order of lists. */
export const pairTools = [tcpRr, tcpCrr, tcpStream, iperf3] as const satisfies readonly BenchmarkKind[]

export const tools = createRegistry<BenchmarkKind>(pairTools)
