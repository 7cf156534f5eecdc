import { compareTogether, type TakenArm } from '@expresslane/shared/compare/cases'
import { mainMetricOf } from '@expresslane/shared/features/metrics'
import { formatClockTime } from '@expresslane/shared/measure/clock'
import { LabError } from '@expresslane/shared/base/errors'
import type { Observation } from '@expresslane/shared/base/observation'
import { findFeature } from '@expresslane/shared/features/settings'
import { armsOfSteps } from '@expresslane/shared/labs/actions'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { armRun } from '@expresslane/shared/run/progress'
import type { Measurement } from '@expresslane/shared/measure/measurement'
import { hasPassed, measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import { judge, type Perform } from '../perform/step-context.ts'

/** Within a sentence: `with BIG TCP`. */
function phraseOf({ settings, label }: ArmPlan, { feature }: Lab): string {
  return findFeature(feature)?.phrase(settings) ?? label
}

/** An arm and its measurements in this session since the last reset. */
interface Measured {
  readonly arm: ArmPlan
  readonly name: string
  readonly taken: Measurement[]
  readonly run: RunState
}

/** Checks that all arms were measured in the same way, so that only their settings can explain a difference. */
function observeFairness(first: Measured, others: readonly Measured[]): Observation[] {
  const all = [first, ...others]
  const seconds = ({ run: { repeats } }: Measured): string => {
    const [one] = repeats
    return one === undefined ? 'unknown' : formatClockTime(one.seconds, one.instructionsPerMicrosecond)
  }
  const pairs = others.flatMap((one): Observation[] => {
    const same = first.run.incarnation === one.run.incarnation
    const seen = same ? 'the same' : 'rebuilt in between'
    return [
      {
        label: 'length of a repeat',
        expected: seconds(first),
        seen: seconds(one),
        ok: seconds(first) === seconds(one),
      },
      { label: 'testbed', expected: 'the same', seen, ok: same },
    ]
  })
  const checked = all.map(({ name, run }): Observation => {
    const ok = hasPassed(run)
    return { label: `measurement ${name}`, expected: 'proven', seen: ok ? 'proven' : 'not proven', ok }
  })
  return [...pairs, ...checked]
}

/** The measurements of each arm since the last reset, in the lab's order. @throws LabError `step_not_ready` if one is missing */
function measuredArms(lab: Lab, earlier: readonly RunState[]): Measured[] {
  return armsOfSteps(lab).map((arm) => {
    const [run, name] = [armRun(lab, earlier, arm.id), phraseOf(arm, lab)]
    const taken = run === null ? [] : measurementsOf(run)
    if (run !== null && taken.length > 0) return { arm, name, taken, run }
    throw new LabError(
      'step_not_ready',
      `This session has no measurement ${name} yet.`,
      'Measure every arm first, or press Solve.',
    )
  })
}

/** Compares each arm's latest measurements with the first arm's. Passes with any result, if all were measured in the same way. */
export const compare: Perform<'compare'> = async (_action, { lab, earlier, emit }) => {
  const [first, ...others] = measuredArms(lab, earlier())
  if (first === undefined) throw new Error(`the lab ${lab.id} compares but does not measure`)
  const takenArm = ({ arm, name, taken }: Measured): TakenArm => ({ id: arm.id, name, taken })
  const of = { caseId: null, subject: null, first: takenArm(first), others: others.map(takenArm) }
  const [measured] = first.taken
  const main = mainMetricOf(measured?.benchmark ?? { tool: '' }, measured?.values ?? {})
  const comparisons = compareTogether([{ ...of, main }], 'sequential', 'all')
  emit({ type: 'cases.compared', comparisons })
  const counts = [first, ...others].map(({ name, taken }) => `${name} (${taken.length} repeats)`).join(' and ')
  const outcome = judge(
    observeFairness(first, others),
    `Compared: ${counts}. The history keeps the results.`,
    () => 'The arms were not measured in the same way, so their settings may not explain the difference.',
  )
  return { ...outcome, hint: 'Measure every arm again in the same way on the same testbed, then compare.' }
}
