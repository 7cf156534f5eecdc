import { i18n } from '@expresslane/shared/base/language'
import type { Me } from '@expresslane/shared/wire/room'
import { IconButton } from '../controls.tsx'
import { IconLogout } from '../../icons.tsx'
import { lazy, useState } from 'react'
import { OnDemand } from '../on-demand.tsx'

const LogOutDialog = lazy(async () => ({ default: (await import('./log-out-dialog.tsx')).LogOutDialog }))

/** Ends this browser's login, after a question. */
export function LogOut({ me }: { me: Me }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <IconButton aria-label={i18n.t('Log out')} title={i18n.t('Log out')} onClick={() => setAsking(true)}>
        <IconLogout size={20} stroke={1.7} />
      </IconButton>
      {asking && (
        <OnDemand>
          <LogOutDialog me={me} onClose={() => setAsking(false)} />
        </OnDemand>
      )}
    </>
  )
}
