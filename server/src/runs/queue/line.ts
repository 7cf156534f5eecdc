/** The order in which runs wait for resources: which run is next, and which can start. Pure. */
import type { Needs, Resource } from '../../testbeds/resources.ts'
import { all, independent } from './resources.ts'

/** A run that has not ended. */
export interface OpenRun {
  readonly id: string
  /** The person who started it. */
  readonly person: string
  readonly needs: Needs
  /** When it was queued; null while it runs. */
  readonly queuedAt: number | null
  /** When it was moved to the front; null if it was not. */
  readonly jumpedAt: number | null
}

/** The rules that decide between runs besides their times. */
export interface QueueRules<Run extends OpenRun> {
  /** Whether a waiting run must not start yet, even if it is next. */
  readonly isHeld: (run: Run) => boolean
  /** Whether the run goes before all other runs, as an instructor's run does, however many seconds its person has used. */
  readonly goesFirst: (run: Run) => boolean
  /** Seconds for which a person had shared resources lately. */
  readonly usedBy: (person: string) => number
  /** Seconds that an open run plans, with what follows in its solve. */
  readonly plannedBy: (run: Run) => number
}

interface Waiting extends OpenRun {
  readonly queuedAt: number
}

/** Less use than that decides nothing, in seconds: equal runs take a little more or less, and would change places for it. */
const USE_STEP = 30
/** A run without a plan takes about a second. */
const LEAST_SECONDS = 1

function isWaiting(run: OpenRun): run is Waiting {
  return run.queuedAt !== null
}

function byArrival(a: Waiting, b: Waiting): number {
  return a.queuedAt - b.queuedAt || (a.id < b.id ? -1 : 1)
}

/**
 * Seconds that a person will have used when this run starts: the used seconds, and the planned seconds of their earlier runs
 * that need the same resources.
 */
function usedBefore<Run extends OpenRun>(run: Run & Waiting, open: readonly Run[], rules: QueueRules<Run>): number {
  const used = Math.floor(rules.usedBy(run.person) / USE_STEP) * USE_STEP
  return open
    .filter(
      (one) =>
        one.id !== run.id &&
        one.person === run.person &&
        !independent(one.needs, run.needs) &&
        (!isWaiting(one) || byArrival(one, run) < 0),
    )
    .reduce((sum, one) => sum + Math.max(LEAST_SECONDS, rules.plannedBy(one)), used)
}

/** Runs that were moved to the front come first, the latest of them first. */
function byJump(a: OpenRun, b: OpenRun): number {
  return (b.jumpedAt ?? 0) - (a.jumpedAt ?? 0)
}

/**
 * The waiting runs in order. An instructor's runs come first, then runs that were moved to the front. After them, the run of
 * the person who used the fewest seconds so far is next; among equals, first come, first served. So a person's second
 * run waits behind everyone's first. Held runs come last, in the same order.
 *
 * @param open all runs that are running or queued
 */
export function lineOf<Run extends OpenRun>(open: readonly Run[], rules: QueueRules<Run>): Run[] {
  return open
    .filter((run): run is Run & Waiting => isWaiting(run))
    .map((run) => ({
      run,
      held: Number(rules.isHeld(run)),
      after: Number(!rules.goesFirst(run)),
      used: usedBefore(run, open, rules),
    }))
    .toSorted(
      (a, b) =>
        a.held - b.held || a.after - b.after || byJump(a.run, b.run) || a.used - b.used || byArrival(a.run, b.run),
    )
    .map(({ run }) => run)
}

/**
 * For each queued run, in their order, the runs that it has to wait for: first the running ones, then the waiting ones.
 */
export function aheadOf<Run extends OpenRun>(open: readonly Run[], rules: QueueRules<Run>): Map<Run, Run[]> {
  const running = open.filter((one) => !isWaiting(one))
  const line = lineOf(open, rules)
  return new Map(
    line.map((run, at) => [
      run,
      [...running, ...line.slice(0, at)].filter((one) => !independent(one.needs, run.needs)),
    ]),
  )
}

/**
 * The place of a queued run among the runs that wait for the same resources: 1 is next.
 *
 * @param ahead as {@link aheadOf} returns it
 */
export function placeAfter(ahead: readonly OpenRun[]): number {
  return ahead.filter(isWaiting).length + 1
}

/**
 * The queued runs that can start now. A run never overtakes another one that waits for the same resource. If a run's
 * testbed is in use, the run does not reserve shared resources, because the run on that testbed can need them next.
 *
 * @param holds which run has which resource; a queued run can hold its testbed in the middle of a solve
 */
export function mayStart<Run extends OpenRun>(
  open: readonly Run[],
  holds: ReadonlyMap<Resource, string>,
  rules: QueueRules<Run>,
): Run[] {
  const taken = new Map(holds)
  const free = (run: OpenRun) => (one: Resource) => (taken.get(one) ?? run.id) === run.id
  return lineOf(open, rules).filter((run) => {
    if (rules.isHeld(run)) return false
    const isFree = free(run)
    if (!isFree(run.needs.own)) return false
    const starts = run.needs.shared.every(isFree)
    for (const one of all(run.needs)) if (!taken.has(one)) taken.set(one, run.id)
    return starts
  })
}
