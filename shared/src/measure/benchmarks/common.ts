/** The tools that any two pods can run: labs of every feature can measure with them. */
import type { BenchmarkKind } from '../benchmark.ts'
import { iperf3, tcpStream } from './streams.ts'
import { tcpCrr } from './tcp-crr.ts'
import { tcpRr } from './tcp-rr.ts'

/** In the order of lists. Their runners are in `server/src/benchmarks/common.ts`. */
export const commonBenchmarks = [tcpRr, tcpCrr, tcpStream, iperf3] as const satisfies readonly BenchmarkKind[]
