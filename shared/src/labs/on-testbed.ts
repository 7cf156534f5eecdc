/** A lab as it is planned on a kind of testbed. Pure. */
import { findSetting } from '../features/settings.ts'
import type { TestCase } from '../measure/experiment.ts'
import type { TestbedKind } from '../testbed/testbed.ts'
import type { Action, Lab, Step, Tunable } from './lab.ts'

/**
 * Where the clock counts instructions, repeats differ by less than 1 %: a second shows what five seconds show, and four
 * repeats are the fewest of two arms that decide.
 */
const counted = { repeats: 4, seconds: 1 }

function atMost<T extends Tunable>(of: T, most: number): T {
  return { ...of, default: Math.max(of.min, Math.min(of.default, most)) }
}

function takesLong({ settings = {} }: TestCase): boolean {
  return Object.entries(settings).some(([id, value]) => findSetting(id)?.takesLong?.(value) === true)
}

function actionOn(action: Action): Action {
  if (action.kind === 'measure') {
    const { repeats, seconds } = action
    return { ...action, repeats: atMost(repeats, counted.repeats), seconds: atMost(seconds, counted.seconds) }
  }
  if (action.kind !== 'experiment') return action
  // Its repeats are what its number of comparisons needs, on any testbed.
  const seconds = atMost(action.seconds, counted.seconds)
  const { plan } = action
  if (plan === null) return { ...action, seconds }
  const design = { ...plan.design, seconds: Math.min(plan.design.seconds, seconds.default) }
  const quick = plan.cases.filter((one) => !takesLong(one))
  return { ...action, seconds, plan: { ...plan, cases: quick.length > 0 ? quick : plan.cases, design } }
}

/** The lab with the defaults for this kind of testbed. */
export function labOn<T extends Pick<Lab, 'steps'>>(lab: T, kind: TestbedKind): T {
  if (kind !== 'counted') return lab
  const stepOn = (step: Step): Step => ({ ...step, action: step.action === null ? null : actionOn(step.action) })
  return { ...lab, steps: lab.steps.map(stepOn) }
}
