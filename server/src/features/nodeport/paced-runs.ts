/** Makes a run at a fixed rate again while it breaks a rule, and ends on a machine that is too busy for any. */
import {
  brokenRule,
  pacedRules,
  type BrokenRule,
  type PacedRun,
} from '@expresslane/shared/features/nodeport/forward-paced'
import { LabError } from '@expresslane/shared/base/errors'

const seen: Readonly<Record<BrokenRule, (run: PacedRun) => string>> = {
  waiting: ({ waitingPercent }) =>
    `the thread that forwards waited for its CPU for ${waitingPercent.toFixed(0)} % of the time. The limit is ${pacedRules.waitingPercent} %`,
  sent: ({ sent, offered }) =>
    `only ${Math.floor((100 * sent) / offered)} % of the packets were sent. The limit is ${pacedRules.leastSent * 100} %`,
  lost: ({ sent, arrived }) =>
    `${Math.ceil(100 - (100 * arrived) / sent)} % of the packets were lost while the thread had time. The limit is ${pacedRules.mostLost * 100} %`,
}

function tooBusy(rule: BrokenRule, run: PacedRun): LabError {
  return new LabError(
    'machine_busy',
    `This machine is too busy for this measurement: ${pacedRules.attempts} runs were discarded. In the last one, ${seen[rule](run)}.`,
    'End other programs on this machine, then run the step again.',
  )
}

export interface Kept<Run> {
  readonly run: Run
  readonly counts: boolean
  readonly discarded: number
}

/**
 * Makes a run, numbered from 0, until one keeps the rules, ten times at most.
 *
 * @param hasCounted whether an earlier run of the same arm and case counts. Without such a run the machine is too busy
 *   for more
 * @throws LabError `machine_busy`; the errors of `make`
 */
export async function keptRun<Run extends PacedRun>(
  make: (number: number) => Promise<Run>,
  hasCounted: boolean,
): Promise<Kept<Run>> {
  for (let discarded = 0; ;) {
    const run = await make(discarded)
    const broken = brokenRule(run)
    if (broken === null) return { run, counts: true, discarded }
    discarded += 1
    if (discarded < pacedRules.attempts) continue
    if (!hasCounted) throw tooBusy(broken, run)
    return { run, counts: false, discarded }
  }
}
