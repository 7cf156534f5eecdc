import type { Benchmark } from '@expresslane/shared/measure/benchmark'
import type { Performance } from '../performance.ts'
import type { Counted, Invocation } from './invocation.ts'
import { runRequestResponse } from './request-response.ts'
import { runStream } from './stream.ts'

/** Runs the benchmark once between the pods that are there, telling samples as they come. @throws LabError; `signal.reason` */
export function runBenchmark(invocation: Invocation, benchmark: Benchmark, performance: Performance): Promise<Counted> {
  return benchmark.tool === 'tcp-rr'
    ? runRequestResponse(invocation, benchmark, performance)
    : runStream(invocation, benchmark, performance)
}
