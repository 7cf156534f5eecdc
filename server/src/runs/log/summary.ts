import { briefOf } from '@expresslane/shared/compare/brief'
import { benchmarkKind } from '@expresslane/shared/features/metrics'
import { medianOf, type Measurement } from '@expresslane/shared/measure/measurement'
import type { MetricValues } from '@expresslane/shared/measure/metrics'
import type { RunSummary } from '@expresslane/shared/wire/protocol'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import type { KeptResult, RunRow } from '../../store/runs.ts'

/** The figures that the history shows of measurements of one tool. */
function mediansOf(taken: readonly Measurement[]): MetricValues {
  const [first] = taken
  if (first === undefined) return {}
  const shown = new Set(benchmarkKind(first.benchmark, first.values).figures)
  return Object.fromEntries([...shown].map((metric) => [metric, medianOf(taken, metric)]))
}

/** The summary of a run for the history, from its events. */
export function keptResultOf(run: RunState): KeptResult {
  const taken = measurementsOf(run)
  const arms = [...new Set(taken.map(({ arm }) => arm))]
  const [first] = taken
  // A median over several arms means nothing.
  const alike = arms.length === 1 && run.plan === null ? taken : []
  // A run that did not complete has estimates.
  const verdict = run.outcome === null ? null : briefOf(run.comparisons)
  const tools = new Set(taken.map(({ benchmark }) => benchmark.tool))
  return {
    passed: run.outcome?.passed ?? null,
    ...(run.outcome?.leftOut === true ? { leftOut: true } : {}),
    measured:
      first === undefined
        ? null
        : {
            arms,
            family: first.family,
            repeats: taken.length,
            tool: tools.size === 1 ? first.benchmark.tool : null,
            values: { ...mediansOf(tools.size === 1 ? alike : []) },
          },
    ...(verdict === null ? {} : { verdict }),
    problem: run.problem,
  }
}

/** A row of the history. */
export function summaryOf(row: RunRow): RunSummary {
  const { id, sessionId, labId, stepId, testbed, state, startedAt, endedAt } = row
  const result = row.result ?? { passed: null, measured: null, problem: null }
  return { id, sessionId, labId, stepId, testbed, state, startedAt, endedAt, ...result }
}
