/**
 * Results of a session. An experiment has one plan in one step. Steps that each measure one arm, and a step that compares
 * them, are treated as a sequential plan with one case. Pure.
 */
import { maxOf } from '../measure/extremes.ts'
import type { CaseComparison } from '../compare/comparison.ts'
import { benchmarkName } from '../features/metrics.ts'
import type { Lab } from '../labs/lab.ts'
import type { ArmPlan, ExperimentPlan, Order, TestCase } from '../measure/experiment.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { ArmProfile } from '../profile/made.ts'
import { runsSinceReset } from './progress.ts'
import { takenIn, type RunState } from './run-state.ts'

export interface Result {
  /** The ids of the steps that measured and compared it. */
  readonly steps: readonly string[]
  /** The plan that corresponds to separate steps, for a result of such steps. */
  readonly plan: ExperimentPlan
  readonly order: Order
  /** In the order taken, warm-ups included. */
  readonly measurements: readonly Measurement[]
  readonly comparisons: readonly CaseComparison[]
  /** The profiles of its arms, in the order taken. */
  readonly profiles: readonly ArmProfile[]
}

/** The case id for separate steps, whose measurements and comparisons have none. */
export const ONLY_CASE = 'measured'

/** Does it belong to the case? */
export function isOfCase({ caseId }: { readonly caseId: string | null }, { id }: Pick<TestCase, 'id'>): boolean {
  return caseId === id || (caseId === null && id === ONLY_CASE)
}

/** The plan that corresponds to separate steps; null if nothing was measured. @param known the lab's arms */
function planFor(
  runs: readonly RunState[],
  comparisons: readonly CaseComparison[],
  known: readonly ArmPlan[],
): ExperimentPlan | null {
  const repeats = runs.flatMap((run) => run.repeats)
  const [first] = repeats
  const benchmark = repeats.find((one) => one.benchmark !== null)?.benchmark ?? null
  const compared = comparisons.flatMap(({ against, arm }) => [against, arm])
  const ids = [...new Set([...compared, ...repeats.map(({ arm }) => arm)])]
  const arms = ids.map((id) => known.find((arm) => arm.id === id) ?? { id, label: id, settings: {} })
  if (first === undefined || benchmark === null) return null
  const { family, seconds } = first
  const only = { id: ONLY_CASE, label: benchmarkName(benchmark), family, benchmark }
  const count = maxOf(
    runs.map((run) => run.repeats.length),
    1,
  )
  return { arms, cases: [only], design: { order: 'sequential', repeats: count, seconds, warmups: 0, budget: null } }
}

/** The result of an experiment's run. */
function ofExperiment(run: RunState, plan: ExperimentPlan): Result {
  const { stepId, comparisons, profiles } = run
  const order = plan.design.order === 'interleaved' ? 'interleaved' : 'sequential'
  return { steps: [stepId], plan, order, measurements: takenIn(run), comparisons, profiles }
}

function ofSteps(measuring: readonly RunState[], comparing: RunState | null, arms: readonly ArmPlan[]): Result | null {
  const comparisons = comparing?.comparisons ?? []
  const plan = planFor(measuring, comparisons, arms)
  if (plan === null) return null
  const steps = [...measuring, ...(comparing === null ? [] : [comparing])].map(({ stepId }) => stepId)
  const [measurements, profiles] = [measuring.flatMap(takenIn), measuring.flatMap((run) => run.profiles)]
  return { steps, plan, order: 'sequential', measurements, comparisons, profiles }
}

/** The latest completed run of each arm that was measured in a separate step. */
function measuredArms(runs: readonly RunState[]): RunState[] {
  const single = runs.filter(({ plan, state, repeats }) => plan === null && state === 'completed' && repeats.length > 0)
  const latest = new Map(single.map((run) => [run.repeats[0]?.arm, run] as const))
  return single.filter((run) => latest.get(run.repeats[0]?.arm) === run)
}

/**
 * A run's result: the experiment's, or a comparison of earlier measurements. Null for a run that compares nothing.
 *
 * @param earlier the session's other runs; later runs are left out
 * @param arms the lab's
 */
export function resultOfRun(run: RunState, earlier: readonly RunState[], arms: readonly ArmPlan[]): Result | null {
  if (run.plan !== null) return ofExperiment(run, run.plan)
  if (run.comparisons.length === 0) return null
  const before = runsSinceReset(earlier.filter(({ lastSeq }) => lastSeq < run.lastSeq))
  return ofSteps(measuredArms(before), run, arms)
}

/** All results since the last reset, in the order of the lab's steps. */
export function resultsOf(lab: Lab, runs: readonly RunState[]): Result[] {
  const current = runsSinceReset(runs)
  const latest = lab.steps.flatMap(({ id }) => current.findLast((run) => run.stepId === id) ?? [])
  const experiments = latest.flatMap((run) => (run.plan === null ? [] : [ofExperiment(run, run.plan)]))
  const comparing = latest.findLast(({ plan, comparisons }) => plan === null && comparisons.length > 0) ?? null
  const inSteps = ofSteps(measuredArms(latest), comparing, lab.arms)
  return inSteps === null ? experiments : [inSteps, ...experiments]
}
