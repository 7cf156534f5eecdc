import { i18n } from '@expresslane/shared/base/language'
import { useState } from 'react'
import { logOut } from '../api/log-out.ts'
import { Notice } from '../components/notice.tsx'
import classes from './follow.module.css'

/** The question, and the end of this browser's login. */
export function LogOutQuestion({ onClose }: { onClose: () => void }) {
  const [problem, setProblem] = useState(false)
  const leave = (): void => {
    logOut('/follow').catch(() => setProblem(true))
  }
  return (
    <Notice tone="info" title={i18n.t('Log out of this browser?')} role="alert">
      <p>{i18n.t('To follow again, scan the code on the screen in the room, or type it.')}</p>
      {problem && <p className="bad">{i18n.t('The server does not respond. Try again.')}</p>}
      <p className="row">
        <button type="button" className={`${classes.button} ${classes.primary}`} onClick={leave}>
          {i18n.t('Log out')}
        </button>
        <button type="button" className={classes.button} onClick={onClose}>
          {i18n.t('Stay')}
        </button>
      </p>
    </Notice>
  )
}
