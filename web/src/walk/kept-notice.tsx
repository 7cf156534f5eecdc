import { RESET_STEP } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Settings } from '@expresslane/shared/measure/settings'
import { hasPassed, hasStarted, isOpen } from '@expresslane/shared/run/run-state'
import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useLive, usePath } from '../api/live.tsx'
import { useTestbed } from '../api/queries.ts'
import { Notice } from '../components/notice.tsx'
import { KeptWords } from '../components/kept-words.tsx'
import { isAsKept } from '../words/settings.ts'
import { keptIsNews } from './kept-settings.ts'
import type { Runner, WalkState } from './use-walk.ts'

/** What is kept, read anew whenever a run may have changed it. */
function useKept(lab: Lab, session: Session, walk: WalkState): Settings | null {
  const { data, refetch } = useTestbed(session.testbed)
  const turns = useLive((snapshot) => snapshot.turns)
  const [asked, setAsked] = useState(turns)
  const seen = useRef(turns)
  const kept = data?.toRestore ?? null
  const ended = walk.runs.filter((run) => hasStarted(run) && !isOpen(run))
  const latest = ended.toSorted((a, b) => a.startedAt - b.startedAt).at(-1) ?? null
  const putsBack = latest?.stepId === RESET_STEP && hasPassed(latest)
  const news = keptIsNews(lab, walk.runs, kept)
  const doubtful = news || (latest !== null && !hasPassed(latest))
  useEffect(() => {
    if (turns === seen.current || walk.active !== null) return
    seen.current = turns
    if (doubtful) void refetch().then(() => setAsked(turns))
  }, [turns, doubtful, walk.active, refetch])
  // Just put back: what was read before that is no news any more.
  return news && !(putsBack && asked !== turns) ? kept : null
}

interface KeptNoticeProps {
  lab: Lab
  session: Session
  walk: WalkState
  runner: Runner
  onReset: () => void
}

/** On the lab's page: the datapath is not as it was, and it was not this walk. */
export function KeptNotice({ lab, session, walk, runner, onReset }: KeptNoticeProps) {
  const kept = useKept(lab, session, walk)
  const now = usePath(session.testbed)?.datapath?.settings ?? null
  if (kept === null || isAsKept(kept, now)) return null
  return (
    <Notice tone="warn" title="The settings here were changed, and not put back" role="status">
      <KeptWords kept={kept} now={now} />
      <p>
        A run that was cut short, or another session, left it so. What you measure now is measured with these settings.
      </p>
      <Button
        variant="default"
        disabled={walk.active !== null}
        loading={runner.reset.isPending || walk.active?.stepId === RESET_STEP}
        onClick={() => runner.reset.mutate(undefined, { onSuccess: onReset })}
      >
        Put it back and begin again
      </Button>
    </Notice>
  )
}
