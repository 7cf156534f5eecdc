/** The current state of a session, and the functions to run its steps. */
import { cancelRun, resetSession, runStep, type Session, type TestbedHolder } from '@expresslane/shared/wire/protocol'
import { call } from '../api/request.ts'
import { experimentOf } from '@expresslane/shared/labs/actions'
import type { Lab, StepParams } from '@expresslane/shared/labs/lab'
import { runsSinceReset, sessionProgress, type StepProgress } from '@expresslane/shared/run/progress'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useHolder, useLive } from '../api/live.tsx'

export interface SessionState {
  readonly runs: readonly RunState[]
  readonly progress: readonly StepProgress[]
  /** The running run of this session, or else a queued run; null if there is none. */
  readonly active: RunState | null
  /** Another session's run that holds the testbed; null if it is free or held by this session. */
  readonly busy: TestbedHolder | null
}

export function useSessionState(lab: Lab, session: Session): SessionState {
  const all = useLive((snapshot) => snapshot.runs)
  const incarnation = useLive((snapshot) => snapshot.incarnations.get(session.testbed) ?? null)
  const holder = useHolder(session.testbed)
  return useMemo(() => {
    const runs = [...all.values()].filter((run) => run.sessionId === session.id)
    const active = runs.findLast((run) => run.state === 'running') ?? runs.findLast(isOpen) ?? null
    const busy = holder !== null && holder.sessionId !== session.id ? holder : null
    return { runs, progress: sessionProgress(lab, runs, incarnation), active, busy }
  }, [all, lab, session.id, incarnation, holder])
}

/**
 * The parameters of an earlier run. Each experiment has its own design; other measurements are only comparable with the
 * latest one if they have the same parameters.
 */
export function measureParams({ step, run: last }: StepProgress, runs: readonly RunState[]): StepParams {
  if (experimentOf(step) !== null) {
    // A second opinion's plan and link are its own.
    const { plan: _plan, opinionOf: _of, ...design } = last?.params ?? {}
    return design
  }
  const { repeats, seconds, profile } = runsSinceReset(runs).findLast((run) => run.repeats.length > 0)?.params ?? {}
  return {
    ...(repeats === undefined ? {} : { repeats }),
    ...(seconds === undefined ? {} : { seconds }),
    ...(profile === undefined ? {} : { profile }),
  }
}

interface RunRequest {
  stepId: string
  params: StepParams
  solve: boolean
}

/** Run, Cancel and Reset of a session. */
export function useRunner(session: Session) {
  const run = useMutation({
    mutationFn: ({ stepId, params, solve }: RunRequest) =>
      call(runStep, { params: { id: session.id, step: stepId }, body: { params, solve } }),
  })
  const cancel = useMutation({ mutationFn: (active: RunState) => call(cancelRun, { params: { id: active.id } }) })
  const reset = useMutation({ mutationFn: () => call(resetSession, { params: { id: session.id } }) })
  return { run, cancel, reset }
}

export type Runner = ReturnType<typeof useRunner>
