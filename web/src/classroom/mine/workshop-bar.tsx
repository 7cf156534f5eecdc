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
      <aside className={classes.alone} aria-label="Messages">
        <Line />
        <Question person={me.id} />
      </aside>
    )
  return (
    <>
      <aside className={classes.bar} aria-label="You in this workshop">
        <div className="row between tight">
          <p className="break-anywhere">
            You are <strong>{me.name}</strong>
          </p>
          <Button
            variant="subtle"
            size="compact-md"
            leftSection={<IconDevices size={18} stroke={1.8} aria-hidden />}
            onClick={() => setLinking(true)}
          >
            Use another device
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
        <Notice tone="info" title={`Message, ${formatClock(message.at)}`}>
          <p className="large">{message.text}</p>
          <Button variant="default" size="compact-md" onClick={() => setClosed(message.at)}>
            Close
          </Button>
        </Notice>
      )}
    </div>
  )
}
