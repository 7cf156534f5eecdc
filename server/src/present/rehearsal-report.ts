/** Reports on a rehearsal: how far it is, and at its end which steps passed, how long they took and their measurements. */
import { LabError, toLabError } from '@expresslane/shared/base/errors'
import type { Lab } from '@expresslane/shared/labs/lab'
import { durationsOf } from '@expresslane/shared/present/durations'
import { comparedIn, rehearsedEffect, replayedEffect } from '@expresslane/shared/present/effects'
import { rehearsalWords } from '@expresslane/shared/present/rehearsal-words'
import type { RunId, SessionId } from '@expresslane/shared/run/events'
import { runsSinceReset } from '@expresslane/shared/run/progress'
import { hasPassed, isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { parseTestbedId, propertiesOf } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Rehearsal, RehearsedEffect } from '@expresslane/shared/wire/rehearsal'
import { sessionStates, type SessionRunsParts } from '../runs/log/session-runs.ts'
import type { Clock } from '../runs/clock.ts'
import type { Scheduler } from '../runs/coordination/scheduler.ts'
import { letOthers } from '../workers/turns.ts'

export interface ReportParts extends SessionRunsParts {
  readonly clock: Clock
  readonly scheduler: Pick<Scheduler, 'reset' | 'settled'>
  /** The ended runs of a session, as the text of a recording. @throws LabError where there is nothing to record */
  readonly record: (sessionId: SessionId, name: string) => Promise<string>
  /** Keeps a recording. @returns its id */
  readonly keep: (text: string) => Promise<string>
  readonly onError: (error: unknown) => void
}

/** A rehearsal that has begun. */
export interface Begun {
  readonly session: Session
  readonly runId: RunId
  readonly startedAt: Rehearsal['startedAt']
}

function nameFor({ title }: Lab): string {
  return `Rehearsal: ${title}`
}

/** The name in the report of the recording to fall back on. */
function nameOf(lab: Lab, { testbed }: Session, id: string | null): string | null {
  if (id === null || propertiesOf(testbed).isRecorded) return id
  return `“${nameFor(lab)}” (${id})`
}

function messageOf({ problem, outcome, state }: RunState): string {
  return problem?.message ?? outcome?.sentence ?? `it was ${state}`
}

function stateOf(runs: readonly RunState[], passed: number, total: number): Rehearsal['state'] {
  if (runs.some(isOpen)) return 'running'
  if (passed === total) return 'ready'
  return runs.some(({ state }) => state === 'cancelled') ? 'cancelled' : 'failed'
}

/** Reports on rehearsals from the runs of their sessions. */
export function createRehearsalReports(parts: ReportParts) {
  const { scheduler, clock, record, keep, onError } = parts
  const runsOf = ({ id }: Session): RunState[] => sessionStates(parts, id)

  /** The report as its runs are now, without the judgement at its end. */
  function outline({ session, runId, startedAt }: Begun, lab: Lab): Omit<Rehearsal, 'says'> {
    const runs = runsSinceReset(runsOf(session))
    const acting = lab.steps.filter(({ action }) => action !== null)
    const passed = acting.filter(({ id }) => {
      const run = runs.findLast(({ stepId }) => stepId === id)
      return run !== undefined && hasPassed(run)
    }).length
    const wrong = runs.find((run) => !isOpen(run) && !hasPassed(run))
    const step = lab.steps.find(({ id }) => id === wrong?.stepId)
    return {
      sessionId: session.id,
      runId,
      labId: session.labId,
      testbed: session.testbed,
      startedAt,
      state: stateOf(runs, passed, acting.length),
      steps: { passed, total: acting.length },
      preflight: runs.findLast(({ checks }) => checks.length > 0)?.checks ?? [],
      failed:
        wrong === undefined || step === undefined || wrong.state === 'cancelled'
          ? null
          : { stepId: step.id, title: step.title, message: messageOf(wrong) },
      expected: null,
      effects: [],
      recordingId: null,
    }
  }

  async function judge(lab: Lab, session: Session): Promise<RehearsedEffect[]> {
    const compared = comparedIn(lab, runsOf(session))
    if (propertiesOf(session.testbed).isRecorded) return compared.map(replayedEffect)
    const effects: RehearsedEffect[] = []
    for (const one of compared) effects.push(await rehearsedEffect(one, () => letOthers()))
    return effects
  }

  /** The recording of a rehearsal that passed, or the recording that it played. */
  async function fallback(lab: Lab, session: Session): Promise<string | null> {
    if (propertiesOf(session.testbed).isRecorded) return parseTestbedId(session.testbed).context
    try {
      return await keep(await record(session.id, nameFor(lab)))
    } catch (error) {
      onError(error)
      return null
    }
  }

  async function reportOn(ended: Omit<Rehearsal, 'says'>, session: Session, lab: Lab): Promise<Rehearsal> {
    const tookSeconds = (clock.now() - ended.startedAt) / 1000
    if (ended.state !== 'ready') {
      const reset = await scheduler.reset(session)
      await scheduler.settled(reset.runId)
      return { ...ended, says: rehearsalWords(ended, null) }
    }
    const effects = await judge(lab, session)
    const recordingId = await fallback(lab, session)
    const expected = durationsOf(lab, runsSinceReset(runsOf(session)), tookSeconds)
    const report = { ...ended, effects, expected, recordingId }
    return { ...report, says: rehearsalWords(report, nameOf(lab, session, recordingId)) }
  }

  return {
    /** While it goes on, its end is judged, or its testbed restored. */
    running(begun: Begun, lab: Lab): Rehearsal {
      const now = { ...outline(begun, lab), state: 'running' as const, failed: null }
      return { ...now, says: rehearsalWords(now, null) }
    },
    /** Waits for the end of its runs, and judges them. Never rejects. */
    async ended(begun: Begun, lab: Lab): Promise<Rehearsal> {
      await scheduler.settled(begun.runId)
      const ended = outline(begun, lab)
      try {
        return await reportOn(ended, begun.session, lab)
      } catch (error) {
        if (!(error instanceof LabError)) onError(error)
        return { ...ended, state: 'failed', says: [toLabError(error).message] }
      }
    },
  }
}
