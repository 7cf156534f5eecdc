import { i18n } from '@expresslane/shared/base/language'
import { toLabError } from '@expresslane/shared/base/errors'
import { useEffect, useState } from 'react'
import { useLive } from '../api/live.tsx'
import { NetworkFailure } from '../api/request.ts'
import { Card } from '../components/card.tsx'
import { Notice } from '../components/notice.tsx'
import { ConnectionMark, ConnectionNotice } from './connection-line.tsx'
import classes from './follow.module.css'
import { Frame } from './frame.tsx'
import { JoinForm } from './join-page.tsx'
import { LogOutQuestion } from './log-out.tsx'
import { StepPage } from './step-page.tsx'
import { useTalk, type TalkState } from './use-talk.ts'

/** The presented step, on the screen of somebody who follows. */
export function FollowPage() {
  const state = useTalk()
  const connection = useLive((snapshot) => snapshot.connection)
  const wasIn = useLive((snapshot) => snapshot.heardAt > 0)
  const title = state.talk?.lab.title ?? null
  useEffect(() => {
    document.title = title === null ? 'Expresslane' : `${title} · Expresslane`
  }, [title])
  const [leaving, setLeaving] = useState(false)
  if (connection === 'revoked') return <NoAccess wasIn={wasIn} />
  const mark = (
    <>
      <ConnectionMark />
      <button type="button" className={`${classes.button} ${classes.quiet}`} onClick={() => setLeaving(true)}>
        {i18n.t('Log out')}
      </button>
    </>
  )
  return (
    <Frame title={title ?? i18n.t('Follow the talk')} mark={mark}>
      {leaving && <LogOutQuestion onClose={() => setLeaving(false)} />}
      <ConnectionNotice />
      <Shown state={state} />
    </Frame>
  )
}

/** The access was taken back, or this browser never had any. */
function NoAccess({ wasIn }: { wasIn: boolean }) {
  return (
    <Frame title={i18n.t('Follow the talk')} mark={<ConnectionMark />}>
      <Card>
        <div className="stack wide">
          <h2 role={wasIn ? 'alert' : undefined}>
            {wasIn ? i18n.t('This browser has no access any more') : i18n.t('This page needs the presenter’s link')}
          </h2>
          <p>
            {wasIn
              ? i18n.t(
                  'You logged out, or the presenter closed the link that you used. Use a new link or code to return.',
                )
              : i18n.t('Scan the QR code on the screen in the room, or type the code below it.')}
          </p>
          <JoinForm asks="code" />
        </div>
      </Card>
    </Frame>
  )
}

function Shown({ state: { talk, on, problem } }: { state: TalkState }) {
  const connection = useLive((snapshot) => snapshot.connection)
  const [lookingAt, setLookingAt] = useState<string | null>(null)
  if (talk !== null) return <StepPage talk={talk} on={on} lookingAt={lookingAt} look={setLookingAt} />
  if (problem !== null && !(problem instanceof NetworkFailure)) {
    const { message, remedy } = toLabError(problem)
    return (
      <Notice tone="bad" title={message} role="alert">
        <p>{remedy}</p>
      </Notice>
    )
  }
  return (
    <Card>
      <p role="status" className={`${classes.waiting} center large`}>
        {on || connection !== 'live'
          ? i18n.t('Loading what the presenter shows …')
          : i18n.t('Nothing is presented yet. This page starts automatically with the talk.')}
      </p>
    </Card>
  )
}
