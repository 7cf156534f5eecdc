/** Whether the counted machine can give a second opinion on a plan. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { planNeeds, possiblePlan } from '@expresslane/shared/features/plan'
import type { Lab } from '@expresslane/shared/labs/lab'
import { opinionPlan } from '@expresslane/shared/labs/on-testbed'
import { fits, type Fit } from '@expresslane/shared/labs/planned'
import { clockOf, formatClockTime } from '@expresslane/shared/measure/clock'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { isInTheWay } from '@expresslane/shared/testbed/testbed'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { whyLacking } from '../../words/testbeds.ts'

export interface Obstacle {
  readonly reason: string
  /** A command that helps; null if none does. */
  readonly command: string | null
}

/**
 * @param plan as it is chosen for netns; null while the form has errors
 * @param needs the lab's
 * @param fit how long it measures, and how long it can; null if nothing limits it
 * @param optional the arms' needs that the lab can do without
 * @returns null if it can
 */
export function obstacleTo(
  plan: ExperimentPlan | null,
  { needs, optional }: Pick<Lab, 'needs' | 'optional'>,
  counted: TestbedView,
  fit: Fit | null,
): Obstacle | null {
  const failed = counted.preflight.find((check) => isInTheWay(check, needs))
  if (failed !== undefined) {
    const { title, remedy, remedyCommand } = failed
    return {
      reason: [i18n.t('A check failed: “{title}”.', { title }), remedy ?? ''].join(' ').trim(),
      command: remedyCommand,
    }
  }
  if (fit !== null && !fits(fit)) {
    const [planned, allowed] = [fit.planned, fit.allowed].map((seconds) => formatClockTime(seconds, clockOf(counted)))
    return {
      reason: i18n.t('It would measure {planned}, and your runs can measure {allowed}.', { planned, allowed }),
      command: null,
    }
  }
  const whyNot = (need: Lab['needs'][number]): string | null => whyLacking(need, counted)
  const possible = plan === null ? [] : planNeeds(possiblePlan(opinionPlan(plan), optional, whyNot).plan)
  const [reason] = [...needs, ...possible].flatMap((need) => whyNot(need) ?? [])
  return reason === undefined ? null : { reason, command: null }
}
