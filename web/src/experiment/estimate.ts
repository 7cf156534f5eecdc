/** Estimates how long an experiment takes. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { formatClockTime, type Clock } from '@expresslane/shared/measure/clock'
import { toolOf } from '@expresslane/shared/features/metrics'
import { extraSeconds } from '@expresslane/shared/features/settings'
import { armInCase, orderOf, runsOf, visitsOf, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { Settings } from '@expresslane/shared/base/settings'
import { formatDuration } from '../words/format.ts'

/** How long things take on a testbed, in seconds of the person who waits. */
interface Pace {
  /** To start the tool and read the counters for one run. */
  readonly run: number
  /** To set the path, create pods and read every device; features add their own seconds. */
  readonly visit: number
}

/** Measured: on netns, on a cluster whose agents restart, and on a counted machine, whose second takes a second of CPU time. */
const paces = {
  quick: { run: 0.6, visit: 1 },
  slow: { run: 0.6, visit: 30 },
  counted: { run: 0.4, visit: 1.3 },
} as const satisfies Record<string, Pace>

/** Is the path switched before each run: for a case with settings, or for a tool that needs new pods? */
function isAlwaysSwitched({ cases }: ExperimentPlan): boolean {
  return cases.some(({ settings, benchmark }) => settings !== undefined || toolOf(benchmark).freshPods === true)
}

/** The settings of all new pods, in any order. */
function podsOf(plan: ExperimentPlan, quickSwitch: boolean): Settings[] {
  const { design, cases } = plan
  return visitsOf(plan, orderOf(design, quickSwitch), design.repeats).flatMap(({ arm, warmups, rounds }) => {
    if (!isAlwaysSwitched(plan)) return [arm.settings]
    const round = cases.map((one) => armInCase(arm, one).settings)
    return Array.from({ length: warmups + rounds }, () => round).flat()
  })
}

/** Seconds in which the tools of all runs only wait. */
function waitsOf({ arms, cases, design: { repeats, warmups } }: ExperimentPlan): number {
  const once = cases.reduce((sum, { benchmark }) => sum + (toolOf(benchmark).firstWaits ?? 0), 0)
  const round = cases.reduce((sum, { benchmark }) => sum + (toolOf(benchmark).waits ?? 0), 0)
  return arms.length * (once + (repeats + warmups) * round)
}

/** Approximate total seconds; with a budget the maximum. @param clock of the testbed */
export function estimateSeconds(plan: ExperimentPlan, quickSwitch: boolean, clock: Clock): number {
  const { seconds, repeats, budget } = plan.design
  const { run, visit } = clock !== null ? paces.counted : quickSwitch ? paces.quick : paces.slow
  const switching = podsOf(plan, quickSwitch).reduce((sum, one) => sum + visit + extraSeconds(one, clock), 0)
  const waits = clock === null ? waitsOf(plan) : 0
  const planned = runsOf(plan) * (seconds + run) + waits + switching
  return budget === null ? planned : Math.max(budget.seconds, planned / Math.max(1, repeats / 2))
}

/**
 * `18 measurements of 1 s, about 38 s in total`: how much is measured by the testbed's clock, and how long it takes.
 */
export function estimateWords(plan: ExperimentPlan, quickSwitch: boolean, clock: Clock): string {
  const each = formatClockTime(plan.design.seconds, clock)
  const total = formatDuration(Math.round(estimateSeconds(plan, quickSwitch, clock)) * 1000).replace(/[.,]0 s/, ' s')
  if (plan.design.budget !== null)
    return i18n.t('Measurements of {each} until the result is precise enough, at most about {total}', { each, total })
  const runs = runsOf(plan)
  return i18n.t('{runs, plural, one {# measurement} other {# measurements}} of {each}, about {total} in total', {
    runs,
    each,
    total,
  })
}
