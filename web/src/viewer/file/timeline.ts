/** The runs of a recording, one after the other on one axis of time. Pure. */
import type { LoggedEvent, RunEvent, SessionId } from '@expresslane/shared/run/events'
import { runId, type RunId } from '@expresslane/shared/labs/lab'
import { eventsIn, type RecordedFile } from '@expresslane/shared/recordings/file/events'
import { createFold, lineOf, type RunFold } from '@expresslane/shared/run/fold'
import type { EventTaker } from '@expresslane/shared/recordings/file/check'
import type { RecordedEvent } from '@expresslane/shared/recordings/recording'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { epochMs } from '@expresslane/shared/base/units'

/** A run's place on the axis, in milliseconds from the start of the recording. */
export interface TimedRun {
  readonly id: RunId
  readonly stepId: string
  /** The time of its first event. */
  readonly from: number
  /** The time of its last event. */
  readonly to: number
}

/** Everything that a recording shows at a time. */
export interface Moment {
  /** The runs that have begun, in order. */
  readonly runs: readonly RunState[]
  /** The latest reading of the path; null before the first. */
  readonly datapath: DatapathState | null
}

/** A line of the output that contains a text. */
export interface Hit {
  readonly run: RunId
  readonly stepId: string
  /** On the axis, in milliseconds. */
  readonly at: number
  readonly text: string
}

/** The identity that the runs of a recording get in the tab. */
export interface PlayedAs {
  /** `s_`, then letters and digits. */
  readonly sessionId: SessionId
  readonly testbed: TestbedId
  readonly incarnation: string
}

export interface Timeline {
  readonly runs: readonly TimedRun[]
  /** In milliseconds. */
  readonly lastsMs: number
  moment(at: number): Moment
  /** The events after the first time, up to and with the second. */
  between(after: number, until: number): LoggedEvent[]
  /** A run as it ended. */
  whole(id: RunId): RunState | null
  /** All events of a run. */
  events(id: RunId): LoggedEvent[]
  /** @param most the most hits */
  find(sought: string, most: number): Hit[]
}

/** More than a run has events, so that no two runs share a number. */
const SEQ_STEP = 1_000_000
/** Between a run's last event and the next run's first, in milliseconds. */
const GAP = 1
/** The latest runs whose events stay in memory. */
const KEPT = 2

/** An event as a run's log has it. */
function logged(run: number, id: RunId, place: number, { at, event }: RecordedEvent): LoggedEvent {
  return { seq: run * SEQ_STEP + place + 1, runId: id, at: epochMs.parse(at), event }
}

/** Folds the runs while their file is checked, so that {@link createTimeline} need not read all of it again. */
export function foldWhileChecked(): { take: EventTaker; folds: ReadonlyMap<number, RunFold> } {
  const folds = new Map<number, RunFold>()
  const nobody = runId.parse('r_00000000')
  return {
    folds,
    take(run, recorded) {
      const known = folds.get(run)
      // The check reports the fault.
      if (known === undefined && recorded.event.type !== 'run.started') return
      const fold = known ?? createFold()
      folds.set(run, fold)
      const place = fold.lastSeq === 0 ? 0 : fold.lastSeq - run * SEQ_STEP
      fold.add(logged(run, nobody, place, recorded))
    },
  }
}

/** @param folds of whole runs, by their place; those that are missing are read from the file */
export function createTimeline(
  file: RecordedFile,
  as: PlayedAs,
  folds: ReadonlyMap<number, RunFold> = new Map(),
): Timeline {
  const { outline } = file
  let end = 0
  const runs = outline.runs.map(({ stepId, lastsMs }, index): TimedRun => {
    const from = end + GAP
    end = from + lastsMs
    return { id: runId.parse(`r_${as.sessionId.slice(2)}${`${index}`.padStart(4, '0')}`), stepId, from, to: end }
  })
  const ended = new Map<number, RunState>()
  const kept = new Map<number, LoggedEvent[]>()

  /** A recorded start names the session, testbed and state of its machine. */
  function here(event: RunEvent): RunEvent {
    return event.type === 'run.started' ? { ...event, ...as, labId: outline.lab, solveTo: null } : event
  }

  function eventsOf(index: number): LoggedEvent[] {
    const known = kept.get(index)
    if (known !== undefined) return known
    const [run, timed] = [outline.runs[index], runs[index]]
    if (run === undefined || timed === undefined) return []
    const recorded = run.pieces.flatMap((piece) => eventsIn(file, piece))
    const events = recorded.map(({ at, event }, place) =>
      logged(index, timed.id, place, { at: run.startedAt + at, event: here(event) }),
    )
    kept.set(index, events)
    const [oldest] = kept.keys()
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
    return events
  }

  /** The time of an event on the axis. */
  const timeOf = (index: number, { at }: LoggedEvent): number =>
    (runs[index]?.from ?? 0) + at - (outline.runs[index]?.startedAt ?? 0)

  function folded(events: readonly LoggedEvent[]): RunState | null {
    const fold = createFold()
    for (const event of events) fold.add(event)
    return fold.state()
  }

  /** A run that was folded from its own start, and without its identity. */
  function foldedBefore(index: number): RunState | null {
    const [state, run, timed] = [folds.get(index)?.state() ?? null, outline.runs[index], runs[index]]
    if (state === null || run === undefined || timed === undefined) return null
    const onClock = (at: number) => epochMs.parse(run.startedAt + at)
    const [startedAt, endedAt] = [onClock(state.startedAt), state.endedAt === null ? null : onClock(state.endedAt)]
    return { ...state, ...as, id: timed.id, labId: outline.lab, solveTo: null, startedAt, endedAt }
  }

  function wholeAt(index: number): RunState | null {
    const state = ended.get(index) ?? foldedBefore(index) ?? folded(eventsOf(index))
    if (state !== null) ended.set(index, state)
    return state
  }

  const indexOf = (id: RunId): number => runs.findIndex((run) => run.id === id)

  return {
    runs,
    lastsMs: end,
    moment(at) {
      const states = runs.flatMap(({ from, to }, index) => {
        if (from > at) return []
        if (to <= at) return wholeAt(index) ?? []
        return folded(eventsOf(index).filter((event) => timeOf(index, event) <= at)) ?? []
      })
      return { runs: states, datapath: states.findLast(({ datapath }) => datapath !== null)?.datapath ?? null }
    },
    between(after, until) {
      return runs.flatMap(({ from, to }, index) => {
        if (to <= after || from > until) return []
        return eventsOf(index).filter((event) => {
          const at = timeOf(index, event)
          return at > after && at <= until
        })
      })
    },
    whole: (id) => wholeAt(indexOf(id)),
    events: (id) => eventsOf(indexOf(id)),
    find(sought, most) {
      const wanted = sought.toLowerCase()
      const hits: Hit[] = []
      for (const [index, { id, stepId }] of runs.entries()) {
        for (const event of eventsOf(index)) {
          const text = lineOf(event)?.text ?? ''
          if (!text.toLowerCase().includes(wanted)) continue
          hits.push({ run: id, stepId, at: timeOf(index, event), text })
          if (hits.length === most) return hits
        }
      }
      return hits
    },
  }
}
