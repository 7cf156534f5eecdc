/** A run of a benchmark: its input and its result. */
import type { Benchmark } from '@expresslane/shared/measure/benchmark'
import type { Fingerprint } from '@expresslane/shared/measure/fingerprint'
import type { Measurement } from '@expresslane/shared/measure/measurement'
import type { MetricValues } from '@expresslane/shared/measure/metrics'
import type { EpochMs, Family } from '@expresslane/shared/base/units'
import type { Placement } from '@expresslane/shared/testbed/placement'
import type { PairCounters } from '../tools/tcp-counters.ts'
import type { CallContext, Testbed } from '../testbeds/testbed.ts'

/** The parts of a step that its benchmark may use. */
export interface BenchmarkContext extends CallContext {
  readonly testbed: Testbed
  now(): EpochMs
}

export interface Invocation {
  readonly arm: string
  readonly caseId: string | null
  readonly family: Family
  readonly benchmark: Benchmark
  /** The address that clients call, in the measured family. */
  readonly address: string
  readonly placement: Placement
  /** Its number in the run, from 1. */
  readonly repeat: number
  readonly warmup: boolean
  readonly seconds: number
  /**
   * The last run of the same arm and case, as its tool printed it, for a tool's estimate of its own time; null for
   * none.
   */
  readonly previous: Measurement | null
  readonly fingerprint: Fingerprint
  /** The counters after the previous repeat, if nothing has passed the pods since; null to read them. */
  readonly before: PairCounters | null
}

/** The result of one run of a tool. */
export interface Measured {
  readonly startedAt: EpochMs
  /** The measured seconds. */
  readonly elapsedSeconds: number
  readonly values: MetricValues
  /** Both pods' counters afterwards, to start the next repeat with; null if the tool does not read them. */
  readonly after: PairCounters | null
}

/** Runs a tool once between the deployed pods, and emits samples as they arrive. @throws LabError; `signal.reason` */
export type RunBenchmark = (invocation: Invocation, context: BenchmarkContext) => Promise<Measured>

export interface Taken {
  readonly measurement: Measurement
  readonly after: PairCounters | null
}
