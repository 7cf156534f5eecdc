/** Takes the repeats of a run, for every action that measures. */
import type { Measurement } from '@expresslane/shared/measure/measurement'
import type { Invocation } from '../../benchmarks/invocation.ts'
import type { PairCounters } from '../../tools/tcp-counters.ts'
import type { StepContext } from '../perform/step-context.ts'
import { runBenchmark } from './run-benchmark.ts'

export interface Repeats {
  /** All repeats so far, in their order. */
  readonly taken: readonly Measurement[]
  /** New pods were created: their counters begin again. */
  newPods(): void
  /**
   * Measures once, and emits the start, the samples and the measurement.
   *
   * @param atMost the number of repeats of the run, as far as it is known
   * @throws LabError of the tool; `signal.reason`
   */
  take(one: Omit<Invocation, 'repeat' | 'previous' | 'before'>, atMost: number): Promise<void>
}

/** @param context of the step that measures */
export function repeatsOf(context: StepContext): Repeats {
  const taken: Measurement[] = []
  /** By fingerprint: the repeat whose event has it. A fingerprint is long, and mostly that of an earlier repeat. */
  const fingerprints = new Map<string, number>()
  // No traffic passes between two repeats, so the counters after a repeat are those before the next repeat.
  let counters: PairCounters | null = null

  function emitTaken(measurement: Measurement): void {
    const print = JSON.stringify(measurement.fingerprint)
    const earlier = fingerprints.get(print)
    if (earlier === undefined) {
      fingerprints.set(print, measurement.repeat)
      context.emit({ type: 'measurement.taken', measurement })
    } else {
      const short = { ...measurement, fingerprint: null }
      context.emit({ type: 'measurement.taken', measurement: short, fingerprintOf: earlier })
    }
  }

  return {
    taken,
    newPods() {
      counters = null
    },
    async take(one, atMost) {
      const repeat = taken.length + 1
      const { arm, caseId, family, benchmark, seconds, warmup } = one
      const repeats = Math.max(repeat, atMost)
      context.emit({ type: 'repeat.started', arm, caseId, warmup, family, benchmark, repeat, repeats, seconds })
      const previous = taken.findLast((earlier) => earlier.arm === arm && earlier.caseId === caseId) ?? null
      const { measurement, after } = await runBenchmark({ ...one, repeat, previous, before: counters }, context)
      counters = after
      taken.push(measurement)
      emitTaken(measurement)
    },
  }
}
