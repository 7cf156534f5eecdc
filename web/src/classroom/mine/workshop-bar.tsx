import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { Button } from '../../components/controls.tsx'
import { IconDevices } from '../../icons.tsx'
import { useState } from 'react'
import { useLive } from '../../api/live.tsx'
import { useMe } from '../../api/queries.ts'
import { DriverQuestions } from '../../components/driver/driver-question.tsx'
import { SharingNotice } from '../../help/index.tsx'
import { Notice } from '../../components/notice.tsx'
import { formatClock } from '../../words/format.ts'
import { OwnLink } from './own-link.tsx'
import classes from './workshop-bar.module.css'

/** A participant's name and way to another device; and the latest message, also for an instructor who drives a cluster. */
export function WorkshopBar() {
  const { data: me } = useMe()
  const [linking, setLinking] = useState(false)
  if (me === undefined) return null
  if (me.role !== 'participant')
    return (
      <aside className={classes.alone} aria-label={i18n.t('Messages')}>
        <Line />
        <Question person={me.id} />
      </aside>
    )
  return (
    <>
      <aside className={classes.bar} aria-label={i18n.t('You in this workshop')}>
        <div className="row between tight">
          <p className="break-anywhere">
            <Trans id="You are <0>{name}</0>" values={{ name: me.name }} components={{ 0: <strong /> }} />
          </p>
          <Button
            variant="subtle"
            size="compact-md"
            leftSection={<IconDevices size={18} stroke={1.8} aria-hidden />}
            onClick={() => setLinking(true)}
          >
            {i18n.t('Use another device')}
          </Button>
        </div>
        <Line />
        <Question person={me.id} />
        {linking && <OwnLink onClose={() => setLinking(false)} />}
      </aside>
      <SharingNotice person={me.id} />
    </>
  )
}

function Question({ person }: { person: string }) {
  return (
    <div role="status">
      <DriverQuestions person={person} />
    </div>
  )
}

/** The latest message, until it is closed. */
function Line() {
  const message = useLive((snapshot) => snapshot.message)
  const [closed, setClosed] = useState<number | null>(null)
  return (
    <div role="status">
      {message !== null && message.at !== closed && (
        <Notice tone="info" title={i18n.t('Message, {time}', { time: formatClock(message.at) })}>
          <p className="large">{message.text}</p>
          <Button variant="default" size="compact-md" onClick={() => setClosed(message.at)}>
            {i18n.t('Close')}
          </Button>
        </Notice>
      )}
    </div>
  )
}
