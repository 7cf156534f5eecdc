/** Builds the JSON result for scripts from a session's runs. */
import { LabError } from '@expresslane/shared/base/errors'
import {
  labResult,
  type HeadlessArm,
  type HeadlessMeasurement,
  type LabResult,
} from '@expresslane/shared/wire/headless'
import { opinionsOf } from '@expresslane/shared/compare/opinion'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { ArmPlan, TestCase } from '@expresslane/shared/measure/experiment'
import { medianOf, valueOf, type Measurement } from '@expresslane/shared/measure/measurement'
import { runsSinceReset } from '@expresslane/shared/run/progress'
import { isOfCase, resultsOf, type Result } from '@expresslane/shared/run/result'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { TestbedFacts } from '@expresslane/shared/testbed/testbed'

/** Null if any value is unknown. */
function latencyOf(one: Measurement): HeadlessMeasurement['latencyUs'] | null {
  const [min, mean, p50, p90, p99, max] = ['min', 'mean', 'p50', 'p90', 'p99', 'max'].map((id) => valueOf(one, id))
  const known = { min, mean, p50, p90, p99, max }
  const { data } = labResult.shape.arms.element.shape.measurements.element.shape.latencyUs.safeParse(known)
  return data ?? null
}

function measurementOf(one: Measurement): HeadlessMeasurement {
  const [tps, throughput, latencyUs] = [valueOf(one, 'tps'), valueOf(one, 'throughput'), latencyOf(one)]
  return {
    ...(tps === null ? {} : { tps }),
    ...(throughput === null ? {} : { gbps: throughput / 1e9 }),
    ...(latencyUs === null || latencyUs === undefined ? {} : { latencyUs }),
    values: one.values,
    warmup: one.warmup,
    repeat: one.repeat,
    startedAt: one.startedAt,
    elapsedSeconds: one.elapsedSeconds,
    fingerprint: one.fingerprint,
  }
}

/** The devices as read in the arm's own step. Empty for an experiment, whose last reading shows only its last arm. */
function readingsOf(run: RunState | undefined): HeadlessArm['readings'] {
  if (run === undefined || run.plan !== null) return []
  return (run.datapath?.kernel ?? []).map(
    ({ device, where, gsoMaxSize, gsoIpv4MaxSize, groMaxSize, groIpv4MaxSize }) => ({
      device,
      where,
      gsoMaxSize,
      gsoIpv4MaxSize,
      groMaxSize,
      groIpv4MaxSize,
    }),
  )
}

function armOf({ steps, measurements }: Result, arm: ArmPlan, of: TestCase, runs: readonly RunState[]): HeadlessArm[] {
  const own = measurements.filter((one) => one.arm === arm.id && isOfCase(one, of))
  const [first] = own
  if (first === undefined) return []
  const run = runs.findLast(
    ({ stepId, repeats }) => steps.includes(stepId) && repeats.some(({ measurement }) => measurement === first),
  )
  const { id, label, settings } = arm
  return [
    {
      step: run?.stepId ?? steps[0] ?? '',
      id,
      label,
      case: of.id,
      family: of.family,
      settings,
      benchmark: of.benchmark,
      measurements: own.map(measurementOf),
      packetsPerRequest: medianOf(own, 'packetsPerRequest'),
      readings: readingsOf(run),
    },
  ]
}

function factsOf(runs: readonly RunState[]): TestbedFacts {
  const facts = runs.findLast((run) => run.facts !== null)?.facts
  if (facts !== undefined && facts !== null) return facts
  throw new LabError(
    'step_not_ready',
    'The lab has not measured anything.',
    'Run the lab again and look for errors in its output.',
  )
}

function mainOf(comparisons: LabResult['comparisons']): LabResult['comparison'] {
  const [first] = comparisons
  const [row] = first?.comparison.rows ?? []
  if (first === undefined || row === undefined) return null
  const { metric, off, on, changePercent, ratio, interval, p, adjustedP, effectSize, verdict } = row
  const { sentence } = first.comparison
  return { metric, off, on, changePercent, ratio, interval, p, adjustedP, effectSize, verdict, sentence }
}

function secondOpinion(of: RunState, runs: readonly RunState[]): NonNullable<LabResult['opinions']>[number] {
  const { stepId: step, state, problem, leftOut } = of
  const about = runs.find(({ id }) => id === of.params.opinionOf)
  const comparisons = state === 'completed' && about !== undefined ? opinionsOf(about.comparisons, of) : []
  return { step, state, problem, leftOut, comparisons }
}

/**
 * The result of a session whose lab completed.
 *
 * @param opinions the second opinions on its experiments; null if none were asked for
 * @throws LabError `step_not_ready` when no run has facts about the testbed
 */
export function resultOf(lab: Lab, runs: readonly RunState[], opinions: readonly RunState[] | null = null): LabResult {
  const facts = factsOf(runs)
  const current = runsSinceReset(runs)
  const results = resultsOf(lab, runs)
  const comparisons = results.flatMap(({ steps, comparisons: all }) =>
    all.map((one) => ({ step: steps.at(-1) ?? '', ...one })),
  )
  const latest = lab.steps.flatMap(({ id }) => current.findLast((run) => run.stepId === id) ?? [])
  return labResult.parse({
    lab: lab.id,
    testbed: { kind: facts.kind, kernel: facts.kernel, facts },
    arms: results.flatMap((result) =>
      result.plan.cases.flatMap((of) => result.plan.arms.flatMap((arm) => armOf(result, arm, of, current))),
    ),
    comparisons,
    comparison: mainOf(comparisons),
    plans: results.map(({ steps, plan }) => ({ steps, plan })),
    ...(opinions === null ? {} : { opinions: opinions.map((one) => secondOpinion(one, current)) }),
    exhibits: latest.flatMap(({ stepId: step, exhibits }) => exhibits.map((exhibit) => ({ step, exhibit }))),
    captures: latest.flatMap(({ stepId, capture }) => (capture === null ? [] : [{ step: stepId, ...capture }])),
  })
}
