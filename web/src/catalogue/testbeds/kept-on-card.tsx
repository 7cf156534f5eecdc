import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { SessionsResponse, TestbedView } from '@expresslane/shared/wire/protocol'
import { Link } from 'react-router'
import { KeptWords } from '../../components/kept-words.tsx'
import { isAsKept } from '../../words/settings.ts'
import { Notice } from '../../components/notice.tsx'

interface KeptOnCardProps {
  testbed: TestbedView
  sessions: readonly SessionsResponse['sessions'][number][]
}

/** Shows that a testbed has changed settings, with a link to a session that can restore them. */
export function KeptOnCard({ testbed, sessions }: KeptOnCardProps) {
  const { toRestore, datapath, busy } = testbed
  const now = datapath?.settings ?? null
  if (toRestore === null || busy !== null || isAsKept(toRestore, now)) return null
  const used = (one: SessionsResponse['sessions'][number]): number => one.lastRunAt ?? one.createdAt
  const newest = sessions.toSorted((a, b) => used(b) - used(a))[0]
  return (
    <Notice tone="warn" title={i18n.t('This testbed does not have its original settings')}>
      <KeptWords kept={toRestore} now={now} />
      <p>
        {newest === undefined ? (
          i18n.t('Start any lab on this testbed and press Reset to restore them.')
        ) : (
          <Trans
            id="<0>Continue the latest session here</0> and press Reset to restore them."
            components={{ 0: <Link to={`/labs/${newest.labId}/sessions/${newest.id}`} /> }}
          />
        )}
      </p>
    </Notice>
  )
}
