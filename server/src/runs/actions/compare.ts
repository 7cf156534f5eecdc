import { compareArms } from '@expresslane/shared/compare/compare'
import { LabError } from '@expresslane/shared/wire/errors'
import type { Observation } from '@expresslane/shared/run/observation'
import { findFeature } from '@expresslane/shared/features/settings'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { armMeasurements, armRun } from '@expresslane/shared/run/progress'
import type { Measurement } from '@expresslane/shared/measure/measurement'
import { hasPassed, type RunState } from '@expresslane/shared/run/run-state'
import { judge, type Act } from '../perform/step-context.ts'

/** Within a sentence: `with BIG TCP`. */
function phraseOf({ settings, label }: ArmPlan, { feature }: Lab): string {
  return findFeature(feature)?.phrase(settings) ?? label
}

/** An arm that was measured in this walk. */
interface Measured {
  readonly arm: ArmPlan
  readonly name: string
  readonly taken: Measurement[]
  readonly run: RunState
}

/** Were all arms measured alike? What differs besides their settings may be the difference. */
function observeFairness(first: Measured, others: readonly Measured[]): Observation[] {
  const all = [first, ...others]
  const seconds = ({ run }: Measured): string => `${run.repeats[0]?.seconds ?? 'unknown'} s`
  const pairs = others.flatMap((one): Observation[] => {
    const same = first.run.incarnation === one.run.incarnation
    const seen = same ? 'the same' : 'built anew between the two'
    return [
      { label: 'time a repeat', expected: seconds(first), seen: seconds(one), ok: seconds(first) === seconds(one) },
      { label: 'testbed', expected: 'the same', seen, ok: same },
    ]
  })
  const checked = all.map(({ name, run }): Observation => {
    const ok = hasPassed(run)
    return { label: `what was measured ${name}`, expected: 'proven', seen: ok ? 'proven' : 'not proven', ok }
  })
  return [...pairs, ...checked]
}

/** The lab's arms that were measured in this walk, in the lab's order. @throws LabError `step_not_ready` for one that was not */
function measuredArms(lab: Lab, earlier: readonly RunState[]): Measured[] {
  const named = new Set(lab.steps.flatMap(({ action }) => (action?.kind === 'measure' ? [action.arm] : [])))
  return lab.arms
    .filter(({ id }) => named.has(id))
    .map((arm) => {
      const [run, name] = [armRun(lab, earlier, arm.id), phraseOf(arm, lab)]
      const taken = armMeasurements(lab, earlier, arm.id)
      if (run !== null && taken.length > 0) return { arm, name, taken, run }
      throw new LabError(
        'step_not_ready',
        `There is no measurement ${name} in this walk yet.`,
        'Measure every arm first, or press Solve.',
      )
    })
}

/** Compares the walk's latest measurements of each arm with the first. It passes with any result, better or worse, measured alike. */
export const compare: Act<'compare'> = async (_action, { lab, earlier, emit }) => {
  const [first, ...others] = measuredArms(lab, earlier)
  if (first === undefined) throw new Error(`the lab ${lab.id} compares and measures nothing`)
  const comparisons = others.flatMap(({ arm, name, taken }) => {
    const comparison = compareArms(first.taken, taken, { order: 'sequential', names: { off: first.name, on: name } })
    return comparison === null ? [] : [{ caseId: null, arm: arm.id, against: first.arm.id, comparison }]
  })
  emit({ type: 'cases.compared', comparisons })
  const counts = others.map(({ name, taken }) => `${taken.length} ${name}`).join(' and ')
  const finding = judge(
    observeFairness(first, others),
    `Compared ${counts} with ${first.taken.length} ${first.name}; the figures stay in the history.`,
    () => 'The arms were not measured alike, so the difference may have another cause than their settings.',
  )
  return { ...finding, hint: 'Measure every arm again, alike and on the same testbed, then compare.' }
}
