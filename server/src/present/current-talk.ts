/** The talk that goes on, with its polls and its autopilot. Each change is kept for a restart, and reported. */
import type { Poll, Presentation } from '@expresslane/shared/wire/presentation'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Presence } from '../classroom/presence.ts'
import type { Clock } from '../runs/clock.ts'
import type { FindLab } from '../runs/coordination/busy.ts'
import type { RunLog } from '../runs/log/run-log.ts'
import { sessionStates } from '../runs/log/session-runs.ts'
import type { Store } from '../store/open.ts'
import type { KeptTalk } from '../store/presentations.ts'
import { createAutopilot, type AutopilotParts, type Shown } from './autopilot.ts'
import { createPolls } from './polls.ts'
import { isOpenFor } from '@expresslane/shared/run/progress'
import { createKeeper, labOf, notPresented, shownIn, type Talk } from './talk.ts'

export interface PresentingParts extends AutopilotParts {
  readonly store: Pick<Store, 'presentations' | 'sessions'>
  readonly log: Pick<RunLog, 'state' | 'subscribe'>
  readonly findLab: FindLab
  readonly presence: Presence
}

/** The part of a presentation that decides who may read a session. */
export type Presented = Pick<Presentation, 'sessionId' | 'labId' | 'testbed'>

/** Answers and followers that come and go are reported together, so that a full room is not busy with counting itself. */
export const COUNT_EVERY_MS = 1_000

/** Reports each change of a presentation, and each once. */
function createReporter(clock: Clock, current: () => Presentation | null, onChange: () => void) {
  const listeners = new Set<(presentation: Presentation | null) => void>()
  let sent = 'null'
  let takeBack: (() => void) | null = null

  function report(): void {
    const now = current()
    const text = JSON.stringify(now)
    if (text === sent) return
    sent = text
    for (const listener of listeners) listener(now)
  }

  return {
    report,
    /** Changes in a while, for changes that come in numbers. */
    reportSoon() {
      takeBack ??= clock.after(COUNT_EVERY_MS, () => {
        takeBack = null
        onChange()
      })
    },
    subscribe(listener: (presentation: Presentation | null) => void): () => void {
      const subscribed = (presentation: Presentation | null): void => listener(presentation)
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
    close: () => takeBack?.(),
  }
}

export type CurrentTalk = ReturnType<typeof createCurrentTalk>

export function createCurrentTalk(parts: PresentingParts) {
  const { store, presence, clock } = parts
  const polls = createPolls()
  const shown = (): Shown => shownIn(parts, require())
  const autopilot = createAutopilot(parts, { shown, go: show, changed })
  const keeper = createKeeper(store.presentations, clock, toKeep)
  const reporter = createReporter(clock, viewOrNull, changed)
  let talk: Talk | null = null
  let presented: Presented | null = null

  /** @throws LabError `not_presented` */
  function require(): Talk {
    if (talk === null) throw notPresented()
    return talk
  }

  function pollOf(of: Talk): Poll | null {
    const step = labOf(parts, of)?.steps.find(({ id }) => id === of.stepId)
    if (step === undefined || step.question === null) return null
    const { id, question } = step
    return { stepId: id, question, open: isOpenFor(id, sessionStates(parts, of.sessionId)), answers: polls.tally(id) }
  }

  function viewOrNull(): Presentation | null {
    if (talk === null || presented === null) return null
    const [poll, followers] = [pollOf(talk), presence.count('viewer')]
    return { ...talk, ...presented, autopilot: autopilot.view(), poll, followers }
  }

  function toKeep(): KeptTalk | null {
    const { state, pace } = autopilot.view()
    return talk === null ? null : { ...talk, autopilot: state === 'pausing' || state === 'running', pace }
  }

  /** Keeps and reports the talk if it is different. */
  function changed(): void {
    keeper.keep()
    reporter.report()
  }

  function change(part: Partial<Talk>): void {
    talk = { ...require(), ...part }
    changed()
  }

  function show(stepId: string): void {
    change(require().stepId === stepId ? {} : { stepId, stepSince: clock.now() })
  }

  return {
    polls,
    autopilot,
    talk: (): Talk | null => talk,
    presented: (): Presented | null => presented,
    /** @throws LabError `not_presented` */
    view(): Presentation {
      const view = viewOrNull()
      if (view === null) throw notPresented()
      return view
    },
    viewOrNull,
    require,
    shown,
    /** Replaces the talk; `changed` reports it. */
    replace({ id, labId, testbed }: Session, next: Talk) {
      presented = { sessionId: id, labId, testbed }
      talk = next
    },
    end() {
      talk = null
      presented = null
      changed()
    },
    change,
    show,
    changed,
    /** The same in a while, for changes that come in numbers. */
    changedSoon() {
      if (talk !== null) reporter.reportSoon()
    },
    readKept: keeper.read,
    subscribe: reporter.subscribe,
    close() {
      reporter.close()
      autopilot.close()
    },
  }
}
