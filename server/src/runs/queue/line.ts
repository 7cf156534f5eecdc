/** The line in front of the resources: who is next, and who may start. Pure. */
import type { Needs, Resource } from '../../testbeds/resources.ts'
import { all, independent } from './resources.ts'

/** A run that is not over, as the line sees it. */
export interface InLine {
  readonly id: string
  /** Who asked for it. */
  readonly person: string
  readonly needs: Needs
  /** Since when it is in line; null while it runs. */
  readonly queuedAt: number | null
  /** When it was moved to the front; null if it waits for its turn. */
  readonly jumpedAt: number | null
}

/** Whether a waiting run must not start now, although its turn may have come. */
export type IsHeld = (run: InLine) => boolean
const nobody: IsHeld = () => false

interface Waiting extends InLine {
  readonly queuedAt: number
}

function isWaiting(run: InLine): run is Waiting {
  return run.queuedAt !== null
}

function byArrival(a: Waiting, b: Waiting): number {
  return a.queuedAt - b.queuedAt || (a.id < b.id ? -1 : 1)
}

/** How many other runs of the same person go before this one, on what it needs. */
function roundOf(run: Waiting, open: readonly InLine[]): number {
  const before = open.filter(
    (one) =>
      one.id !== run.id &&
      one.person === run.person &&
      !independent(one.needs, run.needs) &&
      (!isWaiting(one) || byArrival(one, run) < 0),
  )
  return before.length
}

/** Runs that were moved to the front go first, the latest of them before the others. */
function byJump(a: InLine, b: InLine): number {
  return (b.jumpedAt ?? 0) - (a.jumpedAt ?? 0)
}

/**
 * The waiting runs in order: first come, first served, but each person's second run waits behind everyone's first, the
 * third behind everyone's second, and so on. Those that are held stand behind the others, in the same order.
 *
 * @param open every run that is running or queued
 */
export function lineOf<Run extends InLine>(open: readonly Run[], isHeld: IsHeld = nobody): Run[] {
  return open
    .filter((run): run is Run & Waiting => isWaiting(run))
    .map((run) => ({ run, round: roundOf(run, open), held: Number(isHeld(run)) }))
    .toSorted((a, b) => a.held - b.held || byJump(a.run, b.run) || a.round - b.round || byArrival(a.run, b.run))
    .map(({ run }) => run)
}

/**
 * For each queued run, in the order of their turns, the runs before it that it has to wait for: those that run first,
 * then those in line.
 */
export function aheadOf<Run extends InLine>(open: readonly Run[], isHeld: IsHeld = nobody): Map<Run, Run[]> {
  const running = open.filter((one) => !isWaiting(one))
  const line = lineOf(open, isHeld)
  return new Map(
    line.map((run, at) => [
      run,
      [...running, ...line.slice(0, at)].filter((one) => !independent(one.needs, run.needs)),
    ]),
  )
}

/** The place of a queued run among those that wait for the same: 1 is next. @param ahead as {@link aheadOf} has it */
export function placeAfter(ahead: readonly InLine[]): number {
  return ahead.filter(isWaiting).length + 1
}

/**
 * The queued runs that may start now. Nobody overtakes a run that waits for the same resource. A run whose testbed is
 * taken keeps no place for what is shared: the run that holds that testbed may itself be next in line for it.
 *
 * @param holds who has what; a queued run may hold its testbed already, in the middle of a solve
 */
export function mayStart<Run extends InLine>(
  open: readonly Run[],
  holds: ReadonlyMap<Resource, string>,
  isHeld: IsHeld = nobody,
): Run[] {
  const taken = new Map(holds)
  const free = (run: InLine) => (one: Resource) => (taken.get(one) ?? run.id) === run.id
  return lineOf(open, isHeld).filter((run) => {
    if (isHeld(run)) return false
    const isFree = free(run)
    if (!isFree(run.needs.own)) return false
    const starts = run.needs.shared.every(isFree)
    for (const one of all(run.needs)) if (!taken.has(one)) taken.set(one, run.id)
    return starts
  })
}
