import { Button } from '@mantine/core'
import { IconDevices } from '@tabler/icons-react'
import { useState } from 'react'
import { useLive } from '../../api/live.tsx'
import { useMe } from '../../api/queries.ts'
import { Notice } from '../../components/notice.tsx'
import { formatClock } from '../../words/format.ts'
import { OwnLink } from './own-link.tsx'
import classes from './participant-bar.module.css'

/** Who this page is for, the way to another device, and the instructor's latest line. */
export function ParticipantBar() {
  const { data: me } = useMe()
  const [linking, setLinking] = useState(false)
  if (me === undefined) return null
  return (
    <aside className={classes.bar} aria-label="You in this workshop">
      <div className={classes.row}>
        <p className={classes.name}>
          You are <strong>{me.name}</strong>
        </p>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          leftSection={<IconDevices size={18} stroke={1.8} aria-hidden />}
          onClick={() => setLinking(true)}
        >
          Use another device
        </Button>
      </div>
      <Line />
      {linking && <OwnLink onClose={() => setLinking(false)} />}
    </aside>
  )
}

/** What the instructor wrote last, until it is closed. */
function Line() {
  const message = useLive((snapshot) => snapshot.message)
  const [closed, setClosed] = useState<number | null>(null)
  return (
    <div role="status">
      {message !== null && message.at !== closed && (
        <Notice tone="info" title={`From the instructor, ${formatClock(message.at)}`}>
          <p className={classes.text}>{message.text}</p>
          <Button variant="default" size="compact-md" onClick={() => setClosed(message.at)}>
            Close
          </Button>
        </Notice>
      )}
    </div>
  )
}
