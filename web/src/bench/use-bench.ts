import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RunId, SessionId } from '@expresslane/shared/run/events'
import { beginSession, cancelRun, runStep, type RunAccepted, type RunStepBody } from '@expresslane/shared/wire/protocol'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { useMutation } from '@tanstack/react-query'
import { useHolder } from '../api/live.tsx'
import { call } from '../api/request.ts'

export const BENCH_LAB = 'bench'

async function sessionOn(testbed: TestbedId, shown: RunState | null): Promise<SessionId> {
  // All runs of this page on a testbed share a session.
  if (shown !== null && shown.labId === BENCH_LAB && shown.testbed === testbed) return shown.sessionId
  const { session } = await call(beginSession, { body: { labId: BENCH_LAB, testbed } })
  return session.id
}

/** Run, Cancel and Restore. */
export function useBench(testbed: TestbedId, shown: RunState | null, onStarted: (run: RunId) => void) {
  const holder = useHolder(testbed)
  const run = async (step: string, params: RunStepBody['params']): Promise<RunAccepted> =>
    call(runStep, { params: { id: await sessionOn(testbed, shown), step }, body: { params } })
  const onSuccess = ({ runId }: RunAccepted): void => onStarted(runId)
  const start = useMutation({
    mutationFn: ({ plan, opinion, profile }: { plan: ExperimentPlan; opinion: boolean; profile: boolean }) =>
      run('run', { plan, ...(opinion ? { opinion } : {}), ...(profile ? { profile } : {}) }),
    onSuccess,
  })
  const restore = useMutation({ mutationFn: () => run('restore', {}), onSuccess })
  const cancel = useMutation({ mutationFn: (id: RunId) => call(cancelRun, { params: { id } }) })
  return { holder, start, restore, cancel }
}

export type BenchControls = ReturnType<typeof useBench>
