/** What a presenter shows a room: which session, at which step. The only place that changes it. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { RESET_STEP, type LoggedEvent } from '@expresslane/shared/run/events'
import { currentWalk } from '@expresslane/shared/run/progress'
import { hasPassed, type RunState } from '@expresslane/shared/run/run-state'
import type { AnswerBody, Poll, PresentBody, PresentCommand, Presentation } from '@expresslane/shared/wire/presentation'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Person } from '../classroom/driving.ts'
import type { Presence } from '../classroom/presence.ts'
import type { FindLab } from '../runs/coordination/busy.ts'
import type { RunLog } from '../runs/log/run-log.ts'
import { walkStates } from '../runs/log/walk.ts'
import type { Store } from '../store/open.ts'
import type { KeptTalk } from '../store/presentations.ts'
import { createAutopilot, type AutopilotParts, type Shown } from './autopilot.ts'
import { createPolls, type Voter } from './polls.ts'

export interface Presenting {
  /** Null while nothing is presented. */
  current(): Presentation | null
  /** The part of it that decides who may read what; asked for every event. */
  presented(this: void): Pick<Presentation, 'sessionId' | 'labId' | 'testbed'> | null
  /** Called with every change. @returns unsubscribes */
  subscribe(listener: (presentation: Presentation | null) => void): () => void
  /** Begins a talk, or moves it to another step or session. @throws LabError `not_found` */
  begin(session: Session, stepId: PresentBody['stepId']): Presentation
  end(): void
  /** @param by whose command it is. @throws LabError `not_presented`, `not_found`, `not_driving` */
  command(command: PresentCommand, by: Person): Presentation
  /** @param voter who answers; not kept. @throws LabError `not_presented`, `poll_closed` */
  answer(voter: Voter, answer: AnswerBody): Presentation
  /** Somebody has left the room: their answers to open questions do not count any more. */
  withdraw(person: string): void
  /** Autopilot does nothing more. What is shown is kept for the next process. */
  close(): void
}

export interface PresentingParts extends AutopilotParts {
  readonly store: Pick<Store, 'presentations' | 'sessions' | 'walks'>
  readonly log: Pick<RunLog, 'state' | 'subscribe'>
  readonly findLab: FindLab
  readonly presence: Presence
}

/** Answers and followers that come and go are reported together, so that a full room is not busy with counting itself. */
export const COUNT_EVERY_MS = 1_000
/** Between two attempts to keep the talk. */
const KEEP_AGAIN_MS = 1_000

const RESTARTED =
  'Expresslane was restarted while autopilot was on. Switch autopilot on again, or continue by hand from this step.'

type Talk = Omit<KeptTalk, 'autopilot' | 'pace'>

function notPresented(): LabError {
  return new LabError('not_presented', 'Nothing is presented now.', 'Begin the presentation on the page of a lab.')
}

function pollClosed(): LabError {
  return new LabError('poll_closed', 'This question can’t be answered now.', 'Wait for the next question.')
}

/** Resumes the talk of an earlier process. Its autopilot does not go on by itself. */
export function createPresenting(parts: PresentingParts): Presenting {
  const { store, log, findLab, presence, clock } = parts
  const listeners = new Set<(presentation: Presentation | null) => void>()
  const polls = createPolls()
  const autopilot = createAutopilot(parts, {
    shown,
    go: (stepId) => show(stepId),
    changed,
  })
  let talk: Talk | null = null
  let presented: ReturnType<Presenting['presented']> = null
  let sent = 'null'
  let kept: KeptTalk | null = null
  let takeBack: (() => void) | null = null

  function runsOf({ sessionId }: Talk): RunState[] {
    return walkStates(parts, sessionId)
  }

  /** Before a comparison is there, and only in this walk: a reset asks again. */
  function isOpenFor(stepId: string, runs: readonly RunState[]): boolean {
    return !currentWalk(runs).some((run) => run.stepId === stepId && (run.comparisons.length > 0 || hasPassed(run)))
  }

  function pollOf({ id, question }: Step, of: Talk): Poll | null {
    return question === null
      ? null
      : { stepId: id, question, open: isOpenFor(id, runsOf(of)), answers: polls.tally(id) }
  }

  function labOf({ sessionId }: Pick<Talk, 'sessionId'>): Lab | undefined {
    const session = store.sessions.find(sessionId)
    return session === null ? undefined : findLab(session.labId)
  }

  function stepOf(of: Talk): Step | undefined {
    return labOf(of)?.steps.find(({ id }) => id === of.stepId)
  }

  function requireStep(lab: Lab | undefined, stepId: string): Step {
    const step = lab?.steps.find(({ id }) => id === stepId)
    if (step !== undefined) return step
    throw new LabError('not_found', 'This lab has no such step.', 'Reload the page to see the current labs.')
  }

  function requireTalk(): Talk {
    if (talk === null) throw notPresented()
    return talk
  }

  function shown(): Shown {
    const of = requireTalk()
    const session = store.sessions.find(of.sessionId)
    const lab = labOf(of)
    const step = requireStep(lab, of.stepId)
    if (session === null || lab === undefined) throw notPresented()
    const runs = runsOf(of)
    return { session, lab, step, runs, asks: step.question !== null && isOpenFor(step.id, runs) }
  }

  function current(): Presentation | null {
    if (talk === null || presented === null) return null
    const step = stepOf(talk)
    return {
      ...talk,
      ...presented,
      autopilot: autopilot.view(),
      poll: step === undefined ? null : pollOf(step, talk),
      followers: presence.count('viewer'),
    }
  }

  /** Keeps the talk for a restart. Until the store can be written the talk goes on, and this is tried again. */
  function keep(): void {
    try {
      keepNow()
    } catch (error) {
      if (!(error instanceof LabError)) throw error
      clock.after(KEEP_AGAIN_MS, keep)
    }
  }

  function keepNow(): void {
    if (talk === null) {
      if (kept !== null) store.presentations.clear()
      kept = null
      return
    }
    const { state, pace } = autopilot.view()
    const now = { ...talk, autopilot: state === 'pausing' || state === 'running', pace }
    if (JSON.stringify(now) !== JSON.stringify(kept)) store.presentations.keep(now)
    kept = now
  }

  /** Keeps and reports what is different. */
  function changed(): void {
    keep()
    const now = current()
    const text = JSON.stringify(now)
    if (text === sent) return
    sent = text
    for (const listener of listeners) listener(now)
  }

  function changedSoon(): void {
    if (talk === null) return
    takeBack ??= clock.after(COUNT_EVERY_MS, () => {
      takeBack = null
      changed()
    })
  }

  function present({ id, labId, testbed }: Session): void {
    presented = { sessionId: id, labId, testbed }
  }

  function show(stepId: string): void {
    const of = requireTalk()
    if (of.stepId !== stepId) talk = { ...of, stepId, stepSince: clock.now() }
    changed()
  }

  /** A comparison closes the poll, and a reset opens it again. */
  function hear({ runId, event }: LoggedEvent): void {
    if (talk === null || (event.type !== 'cases.compared' && event.type !== 'run.ended')) return
    const run = log.state(runId)
    if (run?.sessionId !== talk.sessionId) return
    if (event.type === 'run.ended' && run.stepId === RESET_STEP && hasPassed(run)) polls.clear()
    changed()
  }

  function resume(): void {
    kept = store.presentations.read()
    if (kept === null) return
    const { autopilot: led, pace, ...rest } = kept
    const session = store.sessions.find(rest.sessionId)
    if (session === null) return
    talk = rest
    present(session)
    autopilot.setPace(pace)
    if (led) autopilot.stop(RESTARTED)
  }

  function viewed(): Presentation {
    const view = current()
    if (view === null) throw notPresented()
    return view
  }

  const unsubscribe = log.subscribe(hear)
  const unwatch = presence.subscribe(changedSoon)
  resume()

  return {
    current,
    presented: () => presented,
    subscribe(listener) {
      const subscribed = (presentation: Presentation | null): void => listener(presentation)
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
    begin(session, stepId) {
      requireStep(findLab(session.labId), stepId)
      const now = clock.now()
      autopilot.release()
      if (talk?.sessionId !== session.id) {
        polls.clear()
        present(session)
        talk = { sessionId: session.id, stepId, startedAt: now, stepSince: now, blank: false, pathWide: false }
      }
      show(stepId)
      return viewed()
    },
    end() {
      autopilot.release()
      polls.clear()
      talk = null
      presented = null
      changed()
    },
    command(command, by) {
      const of = requireTalk()
      switch (command.do) {
        case 'go':
          requireStep(labOf(of), command.stepId)
          autopilot.release()
          show(command.stepId)
          break
        case 'blank':
          talk = { ...of, blank: command.on }
          changed()
          break
        case 'widen-path':
          talk = { ...of, pathWide: command.on }
          changed()
          break
        case 'autopilot': {
          const pace = command.pace ?? autopilot.view().pace
          if (command.on) autopilot.engage(pace, by)
          else {
            autopilot.release()
            autopilot.setPace(pace)
          }
          break
        }
      }
      return viewed()
    },
    answer(voter, { stepId, answer }) {
      const { step, asks } = shown()
      if (step.id !== stepId || !asks) throw pollClosed()
      polls.answer(stepId, voter, presence.countFrom(voter.network), answer)
      changedSoon()
      return viewed()
    },
    withdraw(person) {
      if (talk === null) return
      const runs = runsOf(talk)
      polls.withdraw(person, (stepId) => isOpenFor(stepId, runs))
      changedSoon()
    },
    close() {
      unsubscribe()
      unwatch()
      takeBack?.()
      autopilot.close()
    },
  }
}
