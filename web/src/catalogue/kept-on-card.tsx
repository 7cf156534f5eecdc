import type { SessionsResponse, TestbedView } from '@expresslane/shared/wire/protocol'
import { Link } from 'react-router'
import { KeptWords } from '../components/kept-words.tsx'
import { isAsKept } from '../words/settings.ts'
import { Notice } from '../components/notice.tsx'

interface KeptOnCardProps {
  testbed: TestbedView
  sessions: readonly SessionsResponse['sessions'][number][]
}

/** Settings from before that are still kept, with the way to where they can be put back. */
export function KeptOnCard({ testbed, sessions }: KeptOnCardProps) {
  const { toRestore, datapath, busy } = testbed
  const now = datapath?.settings ?? null
  if (toRestore === null || busy !== null || isAsKept(toRestore, now)) return null
  const used = (one: SessionsResponse['sessions'][number]): number => one.lastRunAt ?? one.createdAt
  const newest = sessions.toSorted((a, b) => used(b) - used(a))[0]
  return (
    <Notice tone="warn" title="The settings here are not as they were">
      <KeptWords kept={toRestore} now={now} />
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
