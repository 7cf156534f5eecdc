import { i18n } from '@expresslane/shared/base/language'
import { LabError } from '@expresslane/shared/base/errors'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { Button } from '../components/controls.tsx'
import { usePath } from '../api/live.tsx'
import { InUseNotice } from '../components/run/in-use-notice.tsx'
import { Notice } from '../components/notice.tsx'
import { FetchProblem, ProblemNotice } from '../components/problem-notice.tsx'
import { KeptWords } from '../components/kept-words.tsx'
import { isAsKept } from '../words/settings.ts'
import type { BenchControls } from './use-bench.ts'

interface StartRefusedProps {
  bench: BenchControls
  /** Another session's run on the testbed. */
  holder: BenchControls['holder']
  retry: () => void
}

/** Shows why a run did not start, or that it would have to wait for another run. */
export function StartRefused({ bench, holder, retry }: StartRefusedProps) {
  const error = bench.start.error ?? bench.restore.error
  if (error !== null) {
    return error instanceof LabError ? (
      <ProblemNotice problem={error.toProblem()} role="alert" />
    ) : (
      <FetchProblem error={error} retry={retry} />
    )
  }
  if (holder === null) return null
  return <InUseNotice runId={holder.runId}>{i18n.t('Another session is measuring there.')}</InUseNotice>
}

/** Offers to restore the original settings of the testbed. */
export function RestoreOffer({ testbed, bench }: { testbed: TestbedView; bench: BenchControls }) {
  const now = usePath(testbed.id)?.datapath?.settings ?? null
  const { toRestore } = testbed
  if (toRestore === null || bench.holder !== null || isAsKept(toRestore, now)) return null
  return (
    <Notice tone="info" title={i18n.t('This testbed does not have its original settings')}>
      <KeptWords kept={toRestore} now={now} />
      <p>{i18n.t('You can run an experiment without restoring them: it sets what its arms need.')}</p>
      <Button variant="default" loading={bench.restore.isPending} onClick={() => bench.restore.mutate()}>
        {i18n.t('Restore')}
      </Button>
    </Notice>
  )
}
