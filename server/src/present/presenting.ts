/** The presentation in a room: which session is shown, at which step. The only place that changes it. */
import { LabError } from '@expresslane/shared/base/errors'
import { RESET_STEP, type LoggedEvent } from '@expresslane/shared/run/events'
import { isOpenFor } from '@expresslane/shared/run/progress'
import { hasPassed } from '@expresslane/shared/run/run-state'
import type { AnswerBody, PresentCommand, Presentation } from '@expresslane/shared/wire/presentation'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Person } from '../classroom/driving.ts'
import { sessionStates } from '../runs/log/session-runs.ts'
import { createCurrentTalk, type CurrentTalk, type Presented, type PresentingParts } from './current-talk.ts'
import type { Voter } from './polls.ts'
import { labOf, requireStep } from './talk.ts'

export interface Presenting {
  /** Null while nothing is presented. */
  current(): Presentation | null
  /** The part of the talk that decides who may read a session; asked for every event. */
  presented(this: void): Presented | null
  /** Called with every change. @returns unsubscribes */
  subscribe(listener: (presentation: Presentation | null) => void): () => void
  /** Begins a talk, or moves it to another step or session. @throws LabError `not_found` */
  begin(session: Session, stepId: string): Presentation
  end(): void
  /** @param by whose command it is. @throws LabError `not_presented`, `not_found`, `not_driving` */
  command(command: PresentCommand, by: Person): Presentation
  /** @param voter who answers; not kept. @throws LabError `not_presented`, `poll_closed` */
  answer(voter: Voter, answer: AnswerBody): Presentation
  /** Somebody has left the room: their answers to open questions do not count any more. */
  withdraw(person: string): void
  /** Ends autopilot. The presented session and step are kept for the next process. */
  close(): void
}

const RESTARTED =
  'Expresslane was restarted while autopilot was on. Switch autopilot on again, or continue by hand from this step.'

function pollClosed(): LabError {
  return new LabError('poll_closed', 'This question can’t be answered now.', 'Wait for the next question.')
}

/** Carries out a presenter's command. */
function obey(command: PresentCommand, by: Person, on: CurrentTalk, parts: PresentingParts): void {
  const { autopilot } = on
  const talk = on.require()
  switch (command.do) {
    case 'go':
      requireStep(labOf(parts, talk), command.stepId)
      autopilot.release()
      on.show(command.stepId)
      break
    case 'blank':
      on.change({ blank: command.on })
      break
    case 'widen-path':
      on.change({ pathWide: command.on })
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
}

/** Resumes the talk of an earlier process. Its autopilot does not go on by itself. */
export function createPresenting(parts: PresentingParts): Presenting {
  const { store, log, findLab, presence, clock } = parts
  const now = createCurrentTalk(parts)
  const { autopilot, polls } = now

  /** A comparison closes the poll, and a reset opens it again. */
  function hear({ runId, event }: LoggedEvent): void {
    const talk = now.talk()
    if (talk === null || (event.type !== 'cases.compared' && event.type !== 'run.ended')) return
    const run = log.state(runId)
    if (run?.sessionId !== talk.sessionId) return
    if (event.type === 'run.ended' && run.stepId === RESET_STEP && hasPassed(run)) polls.clear()
    now.changed()
  }

  function resume(): void {
    const kept = now.readKept()
    if (kept === null) return
    const { autopilot: led, pace, ...talk } = kept
    const session = store.sessions.find(talk.sessionId)
    if (session === null) return
    now.replace(session, talk)
    autopilot.setPace(pace)
    if (led) autopilot.stop(RESTARTED)
  }

  const unsubscribe = log.subscribe(hear)
  const unwatch = presence.subscribe(now.changedSoon)
  resume()

  return {
    current: now.viewOrNull,
    presented: now.presented,
    subscribe: now.subscribe,
    begin(session, stepId) {
      requireStep(findLab(session.labId), stepId)
      const at = clock.now()
      autopilot.release()
      if (now.talk()?.sessionId !== session.id) {
        polls.clear()
        const talk = { sessionId: session.id, stepId, startedAt: at, stepSince: at, blank: false, pathWide: false }
        now.replace(session, talk)
      }
      now.show(stepId)
      return now.view()
    },
    end() {
      autopilot.release()
      polls.clear()
      now.end()
    },
    command(command, by) {
      obey(command, by, now, parts)
      return now.view()
    },
    answer(voter, { stepId, answer }) {
      const { step, asks } = now.shown()
      if (step.id !== stepId || !asks) throw pollClosed()
      polls.answer(stepId, voter, presence.countFrom(voter.network), answer)
      now.changedSoon()
      return now.view()
    },
    withdraw(person) {
      const talk = now.talk()
      if (talk === null) return
      const runs = sessionStates(parts, talk.sessionId)
      polls.withdraw(person, (stepId) => isOpenFor(stepId, runs))
      now.changedSoon()
    },
    close() {
      unsubscribe()
      unwatch()
      now.close()
    },
  }
}
