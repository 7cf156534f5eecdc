/** Runs a lab quickly before a talk, in a session of its own, and says what will work. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import { LabError, toLabError } from '@expresslane/shared/wire/errors'
import { measuringOf } from '@expresslane/shared/labs/actions'
import type { Lab, StepParams } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import { durationsOf } from '@expresslane/shared/present/durations'
import { comparedIn, rehearsedEffect, replayedEffect } from '@expresslane/shared/present/effects'
import { rehearsalWords } from '@expresslane/shared/present/rehearsal-words'
import type { RunId, SessionId } from '@expresslane/shared/run/events'
import { currentWalk } from '@expresslane/shared/run/progress'
import { hasPassed, isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { kindOf, parseTestbedId, propertiesOf } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Rehearsal, RehearsedEffect } from '@expresslane/shared/wire/rehearsal'
import { walkStates } from '../runs/log/walk.ts'
import type { Coordinator } from '../runs/coordination/coordinator.ts'
import { openSession, type SessionParts } from '../runs/coordination/sessions.ts'
import { letOthers } from '../workers/turns.ts'

export interface RehearsalParts extends SessionParts {
  readonly coordinator: Pick<Coordinator, 'start' | 'reset' | 'settled'>
  /** What has ended in a session, as the text of a recording. @throws LabError where there is nothing to record */
  readonly record: (sessionId: SessionId, name: string) => Promise<string>
  /** Keeps a recording. @returns its id */
  readonly keep: (text: string) => Promise<string>
  readonly onError: (error: unknown) => void
}

export interface Rehearsals {
  /**
   * Begins a rehearsal of a session's lab on its testbed. The session itself stays as it is. While one is running, that
   * one is meant.
   *
   * @throws LabError `not_found`, `bad_request` for a lab without a plan, `step_not_ready` if the session's walk has begun,
   * `testbed_unavailable`
   */
  begin(of: Session): Promise<Rehearsal>
  /** The latest one; null if there was none since the start. */
  find(of: Session): Rehearsal | null
  /** Resolves with the report at the end of a rehearsal that has begun. */
  ended(of: Session): Promise<Rehearsal>
}

interface Head {
  readonly session: Session
  readonly runId: RunId
  readonly startedAt: Rehearsal['startedAt']
}

interface Entry extends Head {
  /** Null until it has ended. */
  report: Rehearsal | null
  readonly end: Promise<Rehearsal>
}

/** A recording at its fastest; else one second, or the least that the lab allows. */
function quickly(lab: Lab, session: Session): StepParams {
  if (propertiesOf(session.testbed).isRecorded) return { speed: 20 }
  const least = lab.steps.flatMap((step) => measuringOf(step)?.seconds.min ?? [])
  return { seconds: maxOf(least, 1), switchOff: true }
}

function nameFor({ title }: Lab): string {
  return `Rehearsal: ${title}`
}

/** How the report calls the recording to fall back on. */
function nameOf(lab: Lab, { testbed }: Session, id: string | null): string | null {
  if (id === null || propertiesOf(testbed).isRecorded) return id
  return `“${nameFor(lab)}” (${id})`
}

function messageOf({ problem, outcome, state }: RunState): string {
  return problem?.message ?? outcome?.sentence ?? `it was ${state}`
}

/** A rehearsal restores its testbed at the end, so what the session's steps left there would be gone. */
function hasBegun(): LabError {
  return new LabError(
    'step_not_ready',
    'Steps of this session have run, and a rehearsal would undo them on the testbed.',
    'Reset the lab, then rehearse.',
  )
}

export function createRehearsals(parts: RehearsalParts): Rehearsals {
  const { findLab, coordinator, clock, record, keep, onError } = parts
  const latest = new Map<string, Entry>()
  /** Those that are about to start: two windows begin one rehearsal. */
  const starting = new Map<string, Promise<Rehearsal>>()

  const keyOf = ({ labId, testbed }: Session): string => `${labId} ${testbed}`

  function runsOf({ id }: Session): RunState[] {
    return walkStates(parts, id)
  }

  function stateOf(walk: readonly RunState[], passed: number, total: number): Rehearsal['state'] {
    if (walk.some(isOpen)) return 'running'
    if (passed === total) return 'ready'
    return walk.some(({ state }) => state === 'cancelled') ? 'cancelled' : 'failed'
  }

  /** What its runs say, without what is judged at its end. */
  function outline(head: Head, lab: Lab): Omit<Rehearsal, 'says'> {
    const { session, runId, startedAt } = head
    const walk = currentWalk(runsOf(session))
    const acting = lab.steps.filter(({ action }) => action !== null)
    const passed = acting.filter(({ id }) => {
      const run = walk.findLast(({ stepId }) => stepId === id)
      return run !== undefined && hasPassed(run)
    }).length
    const wrong = walk.find((run) => !isOpen(run) && !hasPassed(run))
    const step = lab.steps.find(({ id }) => id === wrong?.stepId)
    return {
      sessionId: session.id,
      runId,
      labId: session.labId,
      testbed: session.testbed,
      startedAt,
      state: stateOf(walk, passed, acting.length),
      steps: { passed, total: acting.length },
      preflight: walk.findLast(({ checks }) => checks.length > 0)?.checks ?? [],
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

  /** The recording of a rehearsal that passed, or the one that it played. */
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
      const reset = await coordinator.reset(session)
      await coordinator.settled(reset.runId)
      return { ...ended, says: rehearsalWords(ended, null) }
    }
    const effects = await judge(lab, session)
    const recordingId = await fallback(lab, session)
    const expected = durationsOf(lab, currentWalk(runsOf(session)), tookSeconds)
    const report = { ...ended, effects, expected, recordingId }
    return { ...report, says: rehearsalWords(report, nameOf(lab, session, recordingId)) }
  }

  /** Never rejects. */
  async function finish(head: Head, lab: Lab): Promise<Rehearsal> {
    await coordinator.settled(head.runId)
    const ended = outline(head, lab)
    try {
      return await reportOn(ended, head.session, lab)
    } catch (error) {
      if (!(error instanceof LabError)) onError(error)
      return { ...ended, state: 'failed', says: [toLabError(error).message] }
    }
  }

  function view(entry: Entry, lab: Lab): Rehearsal {
    if (entry.report !== null) return entry.report
    // Its end is still being judged, or its testbed restored.
    const now = { ...outline(entry, lab), state: 'running' as const, failed: null }
    return { ...now, says: rehearsalWords(now, null) }
  }

  function requireLab(of: Session): Lab {
    const lab = findLab(of.labId)
    if (lab === undefined) throw new LabError('not_found', 'This lab does not exist.', 'Reload the page.')
    return labOn(lab, kindOf(of.testbed))
  }

  async function start(of: Session, lab: Lab, stepId: string): Promise<Rehearsal> {
    const startedAt = clock.now()
    const session = await openSession(parts, { labId: of.labId, testbed: of.testbed, owner: of.owner })
    const wish = { stepId, params: quickly(lab, session), solve: true }
    const { runId } = await coordinator.start(session, wish)
    const head = { session, runId, startedAt }
    const { promise, resolve } = Promise.withResolvers<Rehearsal>()
    const entry: Entry = { ...head, report: null, end: promise }
    latest.set(keyOf(of), entry)
    void (async () => {
      entry.report = await finish(head, lab)
      resolve(entry.report)
    })()
    return view(entry, lab)
  }

  return {
    async begin(of) {
      const lab = requireLab(of)
      const key = keyOf(of)
      const running = latest.get(key)
      if (running?.report === null) return view(running, lab)
      const begun = starting.get(key)
      if (begun !== undefined) return begun
      const last = lab.steps.findLast(({ action }) => action !== null)
      if (!lab.listed || last === undefined) {
        throw new LabError('bad_request', 'This lab can’t be rehearsed.', 'Choose a lab with steps to run.')
      }
      if (!propertiesOf(of.testbed).isRecorded && currentWalk(runsOf(of)).length > 0) throw hasBegun()
      const started = start(of, lab, last.id).finally(() => starting.delete(key))
      starting.set(key, started)
      return started
    },
    find(of) {
      const entry = latest.get(keyOf(of))
      const lab = findLab(of.labId)
      return entry === undefined || lab === undefined ? null : view(entry, labOn(lab, kindOf(of.testbed)))
    },
    async ended(of) {
      const entry = latest.get(keyOf(of))
      if (entry !== undefined) return entry.end
      throw new LabError('not_found', 'This session was not rehearsed.', 'Begin a rehearsal first.')
    },
  }
}
