import { median, medianPackets } from '@expresslane/shared/measurement'
import type { RunSummary } from '@expresslane/shared/protocol'
import type { RunState } from '@expresslane/shared/run-state'
import type { RunResult, RunRow } from '../store/runs.ts'

/** What the history keeps of a run, folded from its events. */
export function resultOf(run: RunState): RunResult {
  const taken = run.repeats.flatMap((one) => (one.measurement === null ? [] : [one.measurement]))
  const first = taken[0]
  return {
    passed: run.outcome?.passed ?? null,
    measured:
      first === undefined
        ? null
        : {
            arm: first.arm,
            family: first.family,
            repeats: taken.length,
            medianTps: median(taken.map((one) => one.tps)),
            medianP99: median(taken.map((one) => one.latency.p99)),
            packetsPerRequest: medianPackets(taken),
          },
    problem: run.problem,
  }
}

/** A line of the history. */
export function summaryOf(row: RunRow): RunSummary {
  const { id, sessionId, labId, stepId, testbed, state, startedAt, endedAt } = row
  const result = row.result ?? { passed: null, measured: null, problem: null }
  return { id, sessionId, labId, stepId, testbed, state, startedAt, endedAt, ...result }
}
