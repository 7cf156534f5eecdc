/**
 * The queue of runs that wait for resources. It is kept in the store, so that all processes on the same data directory
 * share it.
 */
import type { QueuePlace, RunId } from '@expresslane/shared/run/events'
import type { Resource } from '../../testbeds/resources.ts'
import type { Store } from '../../store/open.ts'
import { isAlive } from '../../store/owner.ts'
import type { NewRun, RunRow, Turn } from '../../store/runs.ts'
import type { FindLab } from '../coordination/busy.ts'
import type { Clock } from '../clock.ts'
import type { Append, RunLog } from '../log/run-log.ts'
import { createDurations } from './durations.ts'
import { expectedWait, type RunAhead } from './expected-wait.ts'
import { aheadOf, lineOf, mayStart, placeAfter, type QueueRules } from './line.ts'
import { all, independent } from './resources.ts'

/** A run that others wait for. */
export interface RunningRun {
  readonly run: RunRow
  /** How long it has been running. */
  readonly seconds: number
  /** Until it and the rest of its solve have probably ended; null if that is unknown. */
  readonly leftSeconds: number | null
}

/** A new run. */
export type PlannedRun = Omit<NewRun, 'queuedAt' | 'startedAt' | 'owner'>

/** All methods write within the caller's transaction, through `append`. */
export interface Queue {
  /**
   * A new run starts at once if everything that it needs is free and no other run waits for it; otherwise it is queued.
   *
   * @param kept resources of the previous run in the same solve
   * @returns its place in the queue; null if it starts
   */
  enter(append: Append, run: PlannedRun, kept?: readonly Resource[]): QueuePlace | null
  /**
   * Gives resources to the queued runs of this process that can start now, and reports each place that has changed. A
   * run stays queued until {@link Queue.start}. Queued runs of a process that is gone lose their resources.
   */
  advance(append: Append, isMine: (run: RunRow) => boolean): { granted: RunRow[]; orphans: RunRow[] }
  /** Starts a run that has its resources. @returns false if it was cancelled meanwhile */
  start(append: Append, id: RunId, turn: Turn): boolean
  /** The waiting runs, in the order of their turns. */
  line(): RunId[]
  /** The running runs that have a shared resource. */
  running(): RunningRun[]
  /** Moves a queued run to the front of the queue. @returns false if it is not queued */
  jump(id: RunId): boolean
  /**
   * Frees the resources of an ended run. The person's runs that wait for them go to the end of the queue, as far as
   * others used as much.
   *
   * @param usedMs how long it ran, which counts as its person's use
   */
  leave(run: RunRow, usedMs: number): void
}

export interface QueueParts {
  readonly store: Store
  readonly log: RunLog
  readonly findLab: FindLab
  readonly clock: Clock
  /** Whether a person is an instructor, whose runs are next, even while the queue is paused. */
  readonly isInstructor: (person: string) => boolean
}

/** The properties that `run.queued` and `run.started` share. */
function headOf({ sessionId, labId, stepId, testbed, incarnation, params, solveTo }: PlannedRun) {
  return { sessionId, labId, stepId, testbed, incarnation, params, solveTo }
}

export function createQueue({ store, log, findLab, clock, isInstructor }: QueueParts): Queue {
  const durations = createDurations(store, findLab)
  const isGone = ({ owner }: RunRow): boolean => owner !== store.owner && !isAlive(owner)

  /** The rules with the queue's present state: read for each decision, because other processes change it, too. */
  function rulesNow(): QueueRules<RunRow> {
    const paused = store.queue.paused()
    const used = store.queue.used(clock.now())
    return {
      isHeld: ({ person }) => paused && !isInstructor(person),
      goesFirst: ({ person }) => isInstructor(person),
      usedBy: (person) => used.get(person) ?? 0,
      plannedBy: durations.planned,
    }
  }

  /** With the running runs that they wait for: a room has hundreds of others, whose testbeds nobody waits for. */
  function around(waiting: readonly RunRow[]): RunRow[] {
    return [...store.runs.holding(waiting.flatMap(({ needs }) => all(needs))), ...waiting]
  }

  /** The waiting runs, without those whose process is gone, and the runs that they wait for. */
  function open(): RunRow[] {
    return around(store.runs.queued().filter((run) => !isGone(run)))
  }

  function startable(runs: readonly RunRow[], rules: QueueRules<RunRow>): RunRow[] {
    return mayStart(runs, store.holds.among(runs.flatMap(({ needs }) => all(needs))), rules)
  }

  function placeOf(ahead: readonly RunRow[], paused: boolean, expectationOf: (run: RunRow) => RunAhead): QueuePlace {
    const expected = ahead.map(expectationOf)
    // The length of a pause is unknown.
    const wait = paused ? null : expectedWait(expected, clock.now())
    return { place: placeAfter(ahead), expectedSeconds: wait, paused }
  }

  return {
    enter(append, run, kept = []) {
      const at = clock.now()
      const added = { ...run, startedAt: at, owner: store.owner }
      const held = new Set(kept)
      // A solve that already has its resources continues at once, before all waiting runs.
      const goesOn = kept.length > 0 && all(run.needs).every((one) => held.has(one))
      store.runs.add({ ...added, queuedAt: at })
      store.holds.take(run.id, kept)
      const runs = open()
      const rules = rulesNow()
      if (!goesOn && !startable(runs, rules).some(({ id }) => id === run.id)) {
        const [self, ahead] = [...aheadOf(runs, rules)].find(([{ id }]) => id === run.id) ?? [null, []]
        const place = placeOf(ahead, self !== null && rules.isHeld(self), durations.lookUp())
        append(run.id, { type: 'run.queued', ...headOf(run), ...place })
        return place
      }
      store.holds.take(run.id, all(run.needs))
      store.runs.start(run.id, at, run)
      append(run.id, { type: 'run.started', ...headOf(run) })
      return null
    },
    advance(append, isMine) {
      const waiting = store.runs.queued()
      const isOrphan = (run: RunRow): boolean => (run.owner === store.owner ? !isMine(run) : isGone(run))
      const orphans = waiting.filter(isOrphan)
      for (const { id } of orphans) store.holds.release(id)
      const left = new Set(orphans)
      const runs = around(waiting.filter((run) => !left.has(run)))
      const rules = rulesNow()
      const { isHeld } = rules
      const granted = startable(runs, rules).filter(isMine)
      for (const run of granted) store.holds.take(run.id, all(run.needs))
      const expectationOf = durations.lookUp()
      for (const [run, ahead] of aheadOf(runs, rules)) {
        const known = log.state(run.id)?.queue
        if (!isMine(run) || (known?.place === placeAfter(ahead) && known.paused === isHeld(run))) continue
        append(run.id, { type: 'run.queued', ...headOf(run), ...placeOf(ahead, isHeld(run), expectationOf) })
      }
      return { granted, orphans }
    },
    start(append, id, turn) {
      if (!store.runs.start(id, clock.now(), turn)) return false
      const run = store.runs.find(id)
      if (run !== null) append(id, { type: 'run.started', ...headOf(run) })
      return true
    },
    line: () => lineOf(open(), rulesNow()).map(({ id }) => id),
    running() {
      const now = clock.now()
      const expectationOf = durations.lookUp()
      return store.runs.sharing().map((run) => ({
        run,
        seconds: Math.max(0, now - run.startedAt) / 1000,
        leftSeconds: expectedWait([expectationOf(run)], now),
      }))
    },
    jump: (id) => store.runs.jump(id, clock.now()),
    leave(run, usedMs) {
      store.holds.release(run.id)
      if (run.state === 'queued') return
      // Use of one's own testbed takes nothing from others.
      if (run.needs.shared.length > 0) store.queue.addUse({ person: run.person, ms: usedMs }, clock.now())
      for (const one of store.runs.queued()) {
        const waits = one.person === run.person && !independent(one.needs, run.needs)
        if (waits) store.runs.queueFrom(one.id, clock.now())
      }
    },
  }
}
