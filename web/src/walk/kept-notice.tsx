import { RESET_STEP } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session, SessionsResponse, TestbedView } from '@expresslane/shared/wire/protocol'
import type { FamilySetting } from '@expresslane/shared/testbed/reading'
import { hasPassed } from '@expresslane/shared/run/run-state'
import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useLive, usePath } from '../api/live.tsx'
import { useTestbed } from '../api/queries.ts'
import { Notice } from '../components/notice.tsx'
import { keptIsNews, settingWords } from './kept-settings.ts'
import type { Runner, WalkState } from './use-walk.ts'

function Told({ kept, now }: { kept: FamilySetting; now: FamilySetting | null }) {
  return (
    <p>
      Before Expresslane first changed BIG TCP here it was <strong>{settingWords(kept)}</strong>; now it is meant to be{' '}
      <strong>{now === null ? 'unknown, for it can’t be read' : settingWords(now)}</strong>. The earlier settings are
      kept until they are put back.
    </p>
  )
}

interface KeptOnCardProps {
  testbed: TestbedView
  sessions: readonly SessionsResponse['sessions'][number][]
}

/** Settings from before that are still kept, with the way to where they can be put back. */
export function KeptOnCard({ testbed, sessions }: KeptOnCardProps) {
  const { toRestore, datapath, busy } = testbed
  if (toRestore === null || busy !== null) return null
  const used = (one: SessionsResponse['sessions'][number]): number => one.lastRunAt ?? one.createdAt
  const newest = sessions.toSorted((a, b) => used(b) - used(a))[0]
  return (
    <Notice tone="warn" title="BIG TCP is not as it was here">
      <Told kept={toRestore} now={datapath?.intended ?? null} />
      <p>
        {newest === undefined ? (
          'Start any lab here and press Reset to put them back.'
        ) : (
          <>
            <Link to={`/labs/${newest.labId}/sessions/${newest.id}`}>Go on in the newest session here</Link>, and press
            Reset there to put them back.
          </>
        )}
      </p>
    </Notice>
  )
}

/** What is kept, read anew whenever a run may have changed it. */
function useKept(lab: Lab, session: Session, walk: WalkState): FamilySetting | null {
  const { data, refetch } = useTestbed(session.testbed)
  const turns = useLive((snapshot) => snapshot.turns)
  const [asked, setAsked] = useState(turns)
  const seen = useRef(turns)
  const kept = data?.toRestore ?? null
  const ended = walk.runs.filter(({ state }) => state !== 'running')
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
  const now = usePath(session.testbed)?.datapath?.intended ?? null
  if (kept === null) return null
  return (
    <Notice tone="warn" title="BIG TCP was changed here, and not put back" role="status">
      <Told kept={kept} now={now} />
      <p>
        A run that was cut short, or another session, left it so. What you measure now is measured with these settings.
      </p>
      <Button
        variant="default"
        disabled={walk.busy !== null || walk.active !== null}
        loading={runner.reset.isPending || walk.active?.stepId === RESET_STEP}
        onClick={() => runner.reset.mutate(undefined, { onSuccess: onReset })}
      >
        Put it back and begin again
      </Button>
    </Notice>
  )
}
