import { lazy, useEffect, useState } from 'react'
import { readMe } from '@expresslane/shared/wire/room'
import { call } from '../api/request.ts'
import { Card } from '../components/card.tsx'
import { OnDemand } from '../components/on-demand.tsx'
import classes from './follow.module.css'
import { Frame } from './frame.tsx'
import type { JoinFormProps } from './join-form.tsx'

const Form = lazy(async () => ({ default: (await import('./join-form.tsx')).JoinForm }))

/** Loaded on demand: who has a link or a QR code needs no form. */
export function JoinForm(props: JoinFormProps) {
  return (
    <OnDemand>
      <Form {...props} />
    </OnDemand>
  )
}

/** Where a participant's link leads, and where a code is typed. */
export function JoinPage() {
  /** Who is logged in in this browser as a participant; null for nobody, undefined before that is known. */
  const [present, setPresent] = useState<string | null>()
  useEffect(() => {
    document.title = 'Join · Expresslane'
    call(readMe).then(
      ({ role, name }) => setPresent(role === 'participant' ? name : null),
      () => setPresent(null),
    )
  }, [])
  return (
    <Frame title="Join the workshop">
      {present !== undefined && (
        <Card>
          {present === null ? (
            <div className="stack wide">
              <p>You get your own testbed and do the labs yourself.</p>
              <JoinForm asks="all" />
            </div>
          ) : (
            <Present name={present} onOther={() => setPresent(null)} />
          )}
        </Card>
      )}
    </Frame>
  )
}

/** On a shared computer the next person is somebody else. */
function Present({ name, onOther }: { name: string; onOther: () => void }) {
  return (
    <div className="stack wide">
      <h2>This browser is logged in as {name}</h2>
      <a href="/" className={`${classes.button} ${classes.primary}`}>
        Go on as {name}
      </a>
      <button type="button" className={classes.button} onClick={onOther}>
        I am somebody else
      </button>
      <p className="muted">When somebody else joins here, {name} is logged out of this browser.</p>
    </div>
  )
}
