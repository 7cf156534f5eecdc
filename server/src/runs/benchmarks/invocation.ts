/** One run of a benchmark: what it is for, and what comes out. */
import type { Fingerprint } from '@expresslane/shared/measure/fingerprint'
import type { Measurement } from '@expresslane/shared/measure/measurement'
import type { Family } from '@expresslane/shared/measure/units'
import type { PairCounters } from '../../tools/tcp-counters.ts'

export interface Invocation {
  readonly arm: string
  readonly caseId: string | null
  readonly family: Family
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

export interface Counted<M extends Measurement = Measurement> {
  readonly measurement: M
  readonly after: PairCounters
}
