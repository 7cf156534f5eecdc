/** Leads a talk by keys, from the presenter's or the speaker's window. */
import { measuringOf } from '@expresslane/shared/labs/actions'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { RunId } from '@expresslane/shared/run/events'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import type { Session } from '@expresslane/shared/wire/protocol'
import { nextMove, type NextMove } from '@expresslane/shared/present/next-move'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { useLive } from '../api/live.tsx'
import { latestSpeed } from '../recordings/index.ts'
import { measureParams, useRunner, useSessionState, type Runner, type SessionState } from '../session/index.ts'
import { leadFocus, leadKey, type LeadKey, type TalkKey } from './keys.ts'
import { useTalk, type Talk } from './use-talk.ts'

/** The factors that a key press changes the autopilot's pauses by. */
const PACE_STEP = 1.25
const [SLOWEST, FASTEST] = [5, 0.1]

export interface Lead {
  readonly talk: Talk
  readonly state: SessionState
  readonly runner: Runner
  /** The index of the shown step. */
  readonly index: number
  readonly move: NextMove
  /** Does what a key does. */
  readonly press: (key: TalkKey) => void
}

/**
 * @param asked the step of the address, for a talk that has not begun
 * @param begins whether the talk begins by itself
 */
export function useLead(lab: Lab, session: Session, asked: string | null, begins: boolean): Lead {
  const state = useSessionState(lab, session)
  const runner = useRunner(session)
  const requests = useRequests(session, state, runner)
  const first = lab.steps[0]?.id ?? ''
  const talk = useTalk(session, begins ? (asked ?? first) : null)
  const { lead } = talk
  const stepId = talk.now?.stepId ?? asked ?? first
  const indexOf = (step: string): number => lab.steps.findIndex(({ id }) => id === step)
  const index = Math.max(0, indexOf(stepId))
  const incarnation = useLive((snapshot) => snapshot.incarnations.get(session.testbed) ?? null)
  const move = useMemo(() => nextMove(lab, stepId, state.runs, incarnation), [lab, stepId, state.runs, incarnation])

  const goTo = (to: number): void => {
    const step = lab.steps[to]
    if (step === undefined || to === index) return
    runner.run.reset()
    lead({ do: 'go', stepId: step.id })
  }

  const act = (key: TalkKey, { autopilot, blank, pathWide }: Presentation): void => {
    const isPiloted = autopilot.state === 'pausing' || autopilot.state === 'running'
    const run = (id: string, solve: boolean): void => {
      if (autopilot.state === 'pausing') lead({ do: 'autopilot', on: false })
      requests.run(id, solve)
    }
    const pace = (to: number): void =>
      lead({ do: 'autopilot', on: isPiloted, pace: Math.min(SLOWEST, Math.max(FASTEST, to)) })
    switch (key) {
      case 'advance':
        // A press shows a blank screen first: nobody sees what it would do.
        if (blank) lead({ do: 'blank', on: false })
        else if (requests.isOnItsWay()) return
        else if (move.kind === 'run') run(move.stepId, move.solve)
        else if (move.kind === 'go') goTo(indexOf(move.stepId))
        return
      case 'next':
        return goTo(index + 1)
      case 'previous':
        return goTo(index - 1)
      case 'first':
        return goTo(0)
      case 'last':
        return goTo(lab.steps.length - 1)
      case 'again':
        if (state.active === null && lab.steps[index]?.action !== null) run(stepId, false)
        return
      case 'cancel':
        if (state.active !== null) runner.cancel.mutate(state.active)
        return
      case 'blank':
        return lead({ do: 'blank', on: !blank })
      case 'path':
        return lead({ do: 'widen-path', on: !pathWide })
      case 'autopilot':
        return lead({ do: 'autopilot', on: !isPiloted })
      case 'longer-pauses':
        return pace(autopilot.pace * PACE_STEP)
      case 'shorter-pauses':
        return pace(autopilot.pace / PACE_STEP)
    }
  }
  const press = usePress(talk, begins, () => talk.begin(stepId), act)
  return { talk, state, runner, index, move, press }
}

/** Requests runs like the session's earlier ones, and knows whether a requested run is still to come. */
function useRequests({ testbed }: Session, { runs, progress }: SessionState, { run }: Runner) {
  const latestRun = runs.at(-1)?.id ?? null
  /** The session's latest run when one was last requested. */
  const requestedAfter = useRef<RunId | null>(null)
  return {
    /** The run can be over before the answer to the request is here, and the answer can be here before the run is. */
    isOnItsWay: () => !run.isIdle && !run.isError && latestRun === requestedAfter.current,
    run(stepId: string, solve: boolean) {
      const current = progress.find(({ step }) => step.id === stepId)
      const measures = current !== undefined && measuringOf(current.step) !== null
      const params = propertiesOf(testbed).isRecorded
        ? { speed: latestSpeed(runs) }
        : measures
          ? measureParams(current, runs)
          : {}
      requestedAfter.current = latestRun
      run.mutate({ stepId, params, solve })
    },
  }
}

/**
 * Acts on keys while the session is presented. The last key that is pressed while the talk only begins counts as soon as
 * it has: the presenter sees the first slide already.
 */
function usePress(
  { now, starting }: Talk,
  begins: boolean,
  begin: () => void,
  act: (key: TalkKey, now: Presentation) => void,
): (key: TalkKey) => void {
  const early = useRef<TalkKey | null>(null)
  const actEarly = useEffectEvent(() => {
    const key = early.current
    early.current = null
    if (key !== null && now !== null) act(key, now)
  })
  const isPresented = now !== null
  useEffect(() => {
    if (isPresented) actEarly()
  }, [isPresented])
  return (key) => {
    if (now !== null) act(key, now)
    else if (begins && starting) early.current = key
    else if (key === 'advance') begin()
  }
}

/** Calls back with the key that was pressed in this window. Where the answer is false, the key stays the browser's. */
export function useLeadKeys(onKey: (key: LeadKey) => boolean): void {
  const wasTaken = useRef(false)
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const key = leadKey(event, leadFocus(event.target))
    if (key === null) return
    // A held key sends many presses, and would walk through the lab.
    if (!event.repeat) wasTaken.current = onKey(key)
    if (wasTaken.current) event.preventDefault()
  })
  // With the slide itself: a key that is pressed as soon as it shows must count.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent): void => handle(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
