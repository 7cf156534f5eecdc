import { i18n } from '@expresslane/shared/base/language'
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
    document.title = `${i18n.t('Join')} · Expresslane`
    call(readMe).then(
      ({ role, name }) => setPresent(role === 'participant' ? name : null),
      () => setPresent(null),
    )
  }, [])
  return (
    <Frame title={i18n.t('Join the workshop')}>
      {present !== undefined && (
        <Card>
          {present === null ? (
            <div className="stack wide">
              <p>{i18n.t('You get your own testbed and do the labs yourself.')}</p>
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
      <h2>{i18n.t('This browser is logged in as {name}', { name })}</h2>
      <a href="/" className={`${classes.button} ${classes.primary}`}>
        {i18n.t('Go on as {name}', { name })}
      </a>
      <button type="button" className={classes.button} onClick={onOther}>
        {i18n.t('I am somebody else')}
      </button>
      <p className="muted">
        {i18n.t('When somebody else joins here, {name} is logged out of this browser.', { name })}
      </p>
    </div>
  )
}
