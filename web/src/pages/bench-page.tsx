import { runId as runIdSchema, type RunId } from '@expresslane/shared/run/events'
import { useSearchParams } from 'react-router'
import { useLive } from '../api/live.tsx'
import { useRun } from '../api/queries.ts'
import { Bench } from '../bench/index.ts'
import { FetchProblem } from '../components/problem-notice.tsx'

/** The Bench page, with the run in the address, if any. */
export function BenchPage() {
  const [search] = useSearchParams()
  const asked = runIdSchema.safeParse(search.get('run'))
  return asked.success ? <WithRun id={asked.data} /> : <Bench run={null} />
}

function WithRun({ id }: { id: RunId }) {
  const fetched = useRun(id)
  const live = useLive((snapshot) => snapshot.runs.get(id) ?? null)
  const run = live ?? fetched.data ?? null
  if (run === null && fetched.error !== null) {
    return <Bench run={null} problem={<FetchProblem error={fetched.error} retry={() => void fetched.refetch()} />} />
  }
  return <Bench run={run} loading={run === null} />
}
