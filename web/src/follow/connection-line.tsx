import { i18n } from '@expresslane/shared/base/language'
import type { Connection } from '../api/stream.ts'
import { useLive } from '../api/live.tsx'
import { Notice } from '../components/notice.tsx'
import { useNow } from '../components/run/time-left.tsx'
import { formatDuration } from '../words/format.ts'
import classes from './follow.module.css'

const words: Record<Connection, string> = {
  connecting: /*i18n*/ 'connecting',
  live: /*i18n*/ 'live',
  reconnecting: /*i18n*/ 'reconnecting',
  offline: /*i18n*/ 'no connection',
  outdated: /*i18n*/ 'out of date',
  crowded: /*i18n*/ 'too many pages are open',
  revoked: /*i18n*/ 'no access',
}

/** Whether the page is up to date, in a word. */
export function ConnectionMark() {
  const connection = useLive((snapshot) => snapshot.connection)
  return (
    <p
      role="status"
      aria-label={i18n.t('Connection')}
      className={`row tight fixed ${connection === 'live' ? 'good' : 'warn'}`}
    >
      <span aria-hidden className={classes.dot} />
      {i18n.t(words[connection])}
    </p>
  )
}

/** `7 s`, `1 min 7 s`. */
function ageWords(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)
}

/** `34 s old`, counting. The seconds are not announced. */
function Age({ since }: { since: number }) {
  const now = useNow()
  return (
    <span aria-hidden>
      {i18n.t('What you see is {age} old.', { age: ageWords(Math.max(0, Math.round((now - since) / 1000))) })}{' '}
    </span>
  )
}

/** The meaning of a lost connection for the reader; nothing while the page is live. */
export function ConnectionNotice() {
  const connection = useLive((snapshot) => snapshot.connection)
  const heardAt = useLive((snapshot) => snapshot.heardAt)
  if (connection === 'outdated') {
    return (
      <Notice tone="warn" title={i18n.t('This page is older than the server')} role="alert">
        <button type="button" className={classes.button} onClick={() => window.location.reload()}>
          {i18n.t('Reload the page')}
        </button>
      </Notice>
    )
  }
  if (heardAt === 0 || (connection !== 'reconnecting' && connection !== 'offline')) return null
  return (
    <Notice tone="warn" title={i18n.t('No connection')} role="status">
      <p>
        <Age since={heardAt} />
        {i18n.t('The page reconnects automatically, and you miss nothing.')}
      </p>
    </Notice>
  )
}
