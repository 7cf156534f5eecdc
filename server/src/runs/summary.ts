import { isRequestResponse, median, medianPackets } from '@expresslane/shared/measure/measurement'
import type { RunSummary } from '@expresslane/shared/wire/protocol'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import type { RunResult, RunRow } from '../store/runs.ts'

function medianOr(values: readonly number[]): number | null {
  return values.length === 0 ? null : median(values)
}

/** What the history keeps of a run, folded from its events. */
export function resultOf(run: RunState): RunResult {
  const taken = measurementsOf(run)
  const arms = [...new Set(taken.map(({ arm }) => arm))]
  const [first] = taken
  // Several arms have no median together.
  const alike = arms.length === 1 && run.plan === null ? taken : []
  const answered = alike.filter(isRequestResponse)
  return {
    passed: run.outcome?.passed ?? null,
    measured:
      first === undefined
        ? null
        : {
            arms,
            family: first.family,
            repeats: taken.length,
            medianTps: medianOr(answered.map((one) => one.tps)),
            medianThroughput: medianOr(alike.map((one) => one.throughput)),
            medianP99: medianOr(answered.map((one) => one.latency.p99)),
            packetsPerRequest: medianPackets(answered),
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
