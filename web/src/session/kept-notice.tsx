import { i18n } from '@expresslane/shared/base/language'
import { RESET_STEP } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Settings } from '@expresslane/shared/base/settings'
import { hasPassed, hasStarted, isOpen } from '@expresslane/shared/run/run-state'
import { Button } from '../components/controls.tsx'
import { useEffect, useRef, useState } from 'react'
import { useLive, usePath } from '../api/live.tsx'
import { useTestbed } from '../api/queries.ts'
import { Notice } from '../components/notice.tsx'
import { KeptWords } from '../components/kept-words.tsx'
import { isAsKept } from '../words/settings.ts'
import { isUnexpected } from './kept-settings.ts'
import type { Runner, SessionState } from './use-session-state.ts'

/** The settings to restore, read again when a run can have changed them. */
function useKept(lab: Lab, session: Session, state: SessionState): Settings | null {
  const { data, refetch } = useTestbed(session.testbed)
  const turns = useLive((snapshot) => snapshot.turns)
  const [asked, setAsked] = useState(turns)
  const seen = useRef(turns)
  const kept = data?.toRestore ?? null
  const ended = state.runs.filter((run) => hasStarted(run) && !isOpen(run))
  const latest = ended.toSorted((a, b) => a.startedAt - b.startedAt).at(-1) ?? null
  const restored = latest?.stepId === RESET_STEP && hasPassed(latest)
  const unexpected = isUnexpected(lab, state.runs, kept)
  const outdated = unexpected || (latest !== null && !hasPassed(latest))
  useEffect(() => {
    if (turns === seen.current || state.active !== null) return
    seen.current = turns
    if (outdated) void refetch().then(() => setAsked(turns))
  }, [turns, outdated, state.active, refetch])
  // Right after a reset, the earlier reading is outdated.
  return unexpected && !(restored && asked !== turns) ? kept : null
}

interface KeptNoticeProps {
  lab: Lab
  session: Session
  state: SessionState
  runner: Runner
  onReset: () => void
}

/** Shows on the lab page that the datapath has changed settings which this session did not set. */
export function KeptNotice({ lab, session, state, runner, onReset }: KeptNoticeProps) {
  const kept = useKept(lab, session, state)
  const now = usePath(session.testbed)?.datapath?.settings ?? null
  if (kept === null || isAsKept(kept, now)) return null
  return (
    <Notice tone="warn" title={i18n.t('This testbed does not have its original settings')} role="status">
      <KeptWords kept={kept} now={now} />
      <p>
        {i18n.t(
          'An incomplete run or another session left the current settings. Your next measurement would use them.',
        )}
      </p>
      <Button
        variant="default"
        disabled={state.active !== null}
        loading={runner.reset.isPending || state.active?.stepId === RESET_STEP}
        onClick={() => runner.reset.mutate(undefined, { onSuccess: onReset })}
      >
        {i18n.t('Restore and start again')}
      </Button>
    </Notice>
  )
}
