import { i18n } from '@expresslane/shared/base/language'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Notice } from '../notice.tsx'

/** Another session's run uses the testbed: explains the wait of a new run. */
export function InUseNotice({ runId, children }: { runId: string | null; children: ReactNode }) {
  return (
    <Notice tone="info" title={i18n.t('The testbed is in use')} role="status">
      <p>
        {children}{' '}
        {i18n.t(
          'If you start a run now, it waits in line and then starts automatically, because two runs at the same time would distort each other’s measurements.',
        )}
      </p>
      {runId !== null && (
        <p>
          <Link to={`/runs/${runId}`}>{i18n.t('Show that run, or cancel it')}</Link>
        </p>
      )}
    </Notice>
  )
}
