import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RunId, SessionId } from '@expresslane/shared/run/events'
import type { RunAccepted } from '@expresslane/shared/wire/protocol'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { useMutation } from '@tanstack/react-query'
import { http } from '../api/http.ts'
import { useLive } from '../api/live.tsx'
import type { TestbedHolder } from '../api/live-state.ts'

export const BENCH_LAB = 'bench'

async function sessionOn(testbed: TestbedId, shown: RunState | null): Promise<SessionId> {
  // One session per testbed for all runs of this page.
  if (shown !== null && shown.labId === BENCH_LAB && shown.testbed === testbed) return shown.sessionId
  const { session } = await http.createSession({ labId: BENCH_LAB, testbed })
  return session.id
}

/** Run, Cancel and Restore. */
export function useBench(testbed: TestbedId, shown: RunState | null, onStarted: (run: RunId) => void) {
  const holder: TestbedHolder | null = useLive((snapshot) => snapshot.holders.get(testbed) ?? null)
  const onSuccess = ({ runId }: RunAccepted): void => onStarted(runId)
  const start = useMutation({
    mutationFn: async ({ plan, opinion }: { plan: ExperimentPlan; opinion: boolean }) =>
      http.runStep(await sessionOn(testbed, shown), 'run', {
        params: opinion ? { plan, opinion } : { plan },
        solve: false,
      }),
    onSuccess,
  })
  const restore = useMutation({
    mutationFn: async () => http.runStep(await sessionOn(testbed, shown), 'restore', { params: {}, solve: false }),
    onSuccess,
  })
  const cancel = useMutation({ mutationFn: (run: RunId) => http.cancel(run) })
  return { holder, start, restore, cancel }
}

export type BenchControls = ReturnType<typeof useBench>
