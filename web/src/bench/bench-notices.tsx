import { LabError } from '@expresslane/shared/wire/errors'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { usePath } from '../api/live.tsx'
import { Notice } from '../components/notice.tsx'
import { FetchProblem, ProblemNotice } from '../components/problem-notice.tsx'
import { settingWords } from '../words/settings.ts'
import type { BenchControls } from './use-bench.ts'

/** Somebody else's run holds the testbed, or pressing the button did nothing: why, and what to do. */
export function StartRefused({ bench, mine, retry }: { bench: BenchControls; mine: boolean; retry: () => void }) {
  const { holder, start } = bench
  const error = start.error ?? bench.restore.error
  if (holder !== null && !mine) {
    const refused = error instanceof LabError && error.code === 'testbed_busy'
    return (
      <Notice tone="warn" title="The testbed is busy" role={refused ? 'alert' : 'status'}>
        <p>
          Another session measures there now. Two at once would spoil both; you can run yours as soon as it has ended.
        </p>
        <p>
          <Link to={`/runs/${holder.runId}`}>See that run, or cancel it</Link>
        </p>
      </Notice>
    )
  }
  if (error === null) return null
  return error instanceof LabError ? (
    <ProblemNotice problem={error.toProblem()} role="alert" />
  ) : (
    <FetchProblem error={error} retry={retry} />
  )
}

/** Settings from before that are still kept: the way to put them back. */
export function RestoreOffer({ testbed, bench }: { testbed: TestbedView; bench: BenchControls }) {
  const now = usePath(testbed.id)?.datapath?.intended ?? null
  const { toRestore } = testbed
  if (toRestore === null || bench.holder !== null) return null
  return (
    <Notice tone="info" title="This testbed is not as it was">
      <p>
        Before Expresslane first changed BIG TCP here it was <strong>{settingWords(toRestore)}</strong>
        {now !== null && (
          <>
            ; now it is <strong>{settingWords(now)}</strong>
          </>
        )}
        . An experiment sets what its arms need by itself.
      </p>
      <Button variant="default" loading={bench.restore.isPending} onClick={() => bench.restore.mutate()}>
        Restore
      </Button>
    </Notice>
  )
}
