/** Estimates how long an experiment takes. Pure. */
import { formatClockTime, type Clock } from '@expresslane/shared/measure/clock'
import { toolOf } from '@expresslane/shared/features/metrics'
import { extraSeconds } from '@expresslane/shared/features/settings'
import { armInCase, orderOf, runsOf, visitsOf, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { formatDuration } from '../words/format.ts'

/** Seconds to start the tool and read the counters for one run, measured on the netns testbed. */
const RUN_OVERHEAD = 0.6
/** Seconds to set the path, create pods and read every device: measured on netns, and on a cluster whose agents restart. */
const SWITCH_SECONDS = { quick: 1, slow: 30 } as const

/** Is the path switched before each run: for a case with settings, or for a tool that needs new pods? */
function isAlwaysSwitched({ cases }: ExperimentPlan): boolean {
  return cases.some(({ settings, benchmark }) => settings !== undefined || toolOf(benchmark).freshPods === true)
}

/** What the pods of one run of every case under every arm take longer than usual. */
function extraOfRound({ arms, cases }: ExperimentPlan): number {
  const each = arms.flatMap((arm) => cases.map((one) => extraSeconds(armInCase(arm, one).settings)))
  return each.reduce((sum, seconds) => sum + seconds, 0)
}

/** Approximate total seconds; with a budget the maximum. */
export function estimateSeconds(plan: ExperimentPlan, quickSwitch: boolean): number {
  const { seconds, repeats, warmups, budget } = plan.design
  const visits = visitsOf(plan, orderOf(plan.design, quickSwitch), repeats).length
  const switches = isAlwaysSwitched(plan) ? runsOf(plan) : visits
  const each = quickSwitch ? SWITCH_SECONDS.quick : SWITCH_SECONDS.slow
  const extra = isAlwaysSwitched(plan) ? (repeats + warmups) * extraOfRound(plan) : 0
  const planned = runsOf(plan) * (seconds + RUN_OVERHEAD) + switches * each + extra
  return budget === null ? planned : Math.max(budget.seconds, planned / Math.max(1, repeats / 2))
}

/**
 * `18 measurements of 1 s, about 38 s in total`: how much is measured by the testbed's clock, and how long it takes.
 */
export function estimateWords(plan: ExperimentPlan, quickSwitch: boolean, clock: Clock): string {
  const each = formatClockTime(plan.design.seconds, clock)
  const total = formatDuration(Math.round(estimateSeconds(plan, quickSwitch)) * 1000).replace('.0 s', ' s')
  if (plan.design.budget !== null)
    return `Measurements of ${each} until the result is precise enough, at most about ${total}`
  const runs = runsOf(plan)
  return `${runs} ${runs === 1 ? 'measurement' : 'measurements'} of ${each}, about ${total} in total`
}
