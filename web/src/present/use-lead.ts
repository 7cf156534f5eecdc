/** Leads a talk by keys, from the presenter's or the speaker's window. */
import { measuringOf } from '@expresslane/shared/labs/actions'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { RunId } from '@expresslane/shared/run/events'
import type { Session } from '@expresslane/shared/wire/protocol'
import { nextMove, type NextMove } from '@expresslane/shared/present/next-move'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { useLive } from '../api/live.tsx'
import { latestSpeed } from '../recordings/index.ts'
import { measureParams, useRunner, useWalk, type Runner, type WalkState } from '../walk/index.ts'
import { leadFocus, leadKey, type LeadKey } from './keys.ts'
import { useTalk, type Talk } from './use-talk.ts'

/** The factors that a key press changes the autopilot's pauses by. */
const PACE_STEP = 1.25
const [SLOWEST, FASTEST] = [5, 0.1]

export interface Lead {
  readonly talk: Talk
  readonly walk: WalkState
  readonly runner: Runner
  /** The index of the shown step. */
  readonly index: number
  readonly move: NextMove
  /** Does what a key does. */
  readonly press: (key: LeadKey) => void
}

/** @param asked the step of the address, for a talk that has not begun */
export function useLead(lab: Lab, session: Session, asked: string | null, begins: boolean): Lead {
  const walk = useWalk(lab, session)
  const runner = useRunner(session)
  const first = lab.steps[0]?.id ?? ''
  const talk = useTalk(session, begins ? (asked ?? first) : null)
  const { now, lead } = talk
  const stepId = now?.stepId ?? asked ?? first
  const index = Math.max(
    0,
    lab.steps.findIndex(({ id }) => id === stepId),
  )
  const incarnation = useLive((snapshot) => snapshot.incarnations.get(session.testbed) ?? null)
  const move = useMemo(() => nextMove(lab, stepId, walk.runs, incarnation), [lab, stepId, walk.runs, incarnation])

  /** The session's latest run when one was last asked for: until there is a newer one, a press would ask again. */
  const askedAfter = useRef<RunId | null>(null)
  const latestRun = walk.runs.at(-1)?.id ?? null
  const accepted = runner.run.data?.runId ?? null
  const acceptedIsKnown = walk.runs.some(({ id }) => id === accepted)
  const forget = useEffectEvent(() => runner.run.reset())
  useEffect(() => {
    if (acceptedIsKnown) forget()
  }, [acceptedIsKnown])

  /** The last key that was pressed while the talk was only beginning. It counts: the presenter sees the first slide already. */
  const early = useRef<LeadKey | null>(null)

  const run = (id: string, solve: boolean): void => {
    if (now !== null && now.autopilot.state === 'pausing') lead({ do: 'autopilot', on: false })
    const current = walk.progress.find(({ step }) => step.id === id)
    const measures = current !== undefined && measuringOf(current.step) !== null
    const params = propertiesOf(session.testbed).isRecorded
      ? { speed: latestSpeed(walk.runs) }
      : measures
        ? measureParams(current, walk.runs)
        : {}
    askedAfter.current = latestRun
    runner.run.mutate({ stepId: id, params, solve })
  }
  const goTo = (to: number): void => {
    const step = lab.steps[to]
    if (step === undefined || to === index) return
    runner.run.reset()
    lead({ do: 'go', stepId: step.id })
  }
  const autopilot = (on: boolean, pace?: number): void =>
    lead({ do: 'autopilot', on, ...(pace === undefined ? {} : { pace: Math.min(SLOWEST, Math.max(FASTEST, pace)) }) })

  const press = (key: LeadKey): void => {
    if (now === null) {
      if (begins && talk.starting) early.current = key
      else if (key === 'advance') talk.begin(stepId)
      return
    }
    const piloted = now.autopilot.state === 'pausing' || now.autopilot.state === 'running'
    switch (key) {
      case 'advance':
        // A press shows a blank screen first: nobody sees what it would do.
        if (now.blank) lead({ do: 'blank', on: false })
        // The run can be over before the answer to the request is here, and the answer can be here before the run is.
        else if (!runner.run.isIdle && !runner.run.isError && latestRun === askedAfter.current) return
        else if (move.kind === 'run') run(move.stepId, move.solve)
        else if (move.kind === 'go') goTo(lab.steps.findIndex(({ id }) => id === move.stepId))
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
        if (walk.active === null && lab.steps[index]?.action !== null) run(stepId, false)
        return
      case 'cancel':
        if (walk.active !== null) runner.cancel.mutate(walk.active)
        return
      case 'blank':
        return lead({ do: 'blank', on: !now.blank })
      case 'path':
        return lead({ do: 'widen-path', on: !now.pathWide })
      case 'autopilot':
        return autopilot(!piloted)
      case 'longer-pauses':
        return autopilot(piloted, now.autopilot.pace * PACE_STEP)
      case 'shorter-pauses':
        return autopilot(piloted, now.autopilot.pace / PACE_STEP)
      case 'text':
      case 'speaker':
      case 'links':
      case 'screen':
      case 'keys':
      case 'leave':
      case 'down':
      case 'up':
        return
    }
  }
  const pressEarly = useEffectEvent(() => {
    const key = early.current
    early.current = null
    if (key !== null) press(key)
  })
  const presented = now !== null
  useEffect(() => {
    if (presented) pressEarly()
  }, [presented])
  return { talk, walk, runner, index, move, press }
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
