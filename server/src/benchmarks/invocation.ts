/** One run of a benchmark: what it is for, and what comes out. */
import type { Benchmark } from '@expresslane/shared/measure/benchmark'
import type { Fingerprint } from '@expresslane/shared/measure/fingerprint'
import type { Measurement } from '@expresslane/shared/measure/measurement'
import type { MetricValues } from '@expresslane/shared/measure/metrics'
import type { EpochMs, Family } from '@expresslane/shared/measure/units'
import type { PairCounters } from '../tools/tcp-counters.ts'
import type { CallContext, Testbed } from '../testbeds/testbed.ts'

/** What a benchmark may use of the step that runs it. */
export interface BenchmarkContext extends CallContext {
  readonly testbed: Testbed
  now(): EpochMs
}

export interface Invocation {
  readonly arm: string
  readonly caseId: string | null
  readonly family: Family
  readonly benchmark: Benchmark
  /** The server pod's, of that family. */
  readonly address: string
  /** Its place in the run's order, from 1. */
  readonly repeat: number
  readonly warmup: boolean
  readonly seconds: number
  readonly fingerprint: Fingerprint
  /** The counters after the run before, where nothing has crossed the pods since; null to read them. */
  readonly before: PairCounters | null
}

/** What one run of a tool found. */
export interface Measured {
  readonly startedAt: EpochMs
  /** The time that counts. */
  readonly elapsedSeconds: number
  readonly values: MetricValues
  /** Both pods' counters after it, for the next run to begin with; null where the tool does not read them. */
  readonly after: PairCounters | null
}

/** Runs one tool once between the pods that are there, and emits samples as they come. @throws LabError; `signal.reason` */
export type RunBenchmark = (invocation: Invocation, context: BenchmarkContext) => Promise<Measured>

export interface Taken {
  readonly measurement: Measurement
  readonly after: PairCounters | null
}
