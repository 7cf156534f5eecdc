import { i18n } from '@expresslane/shared/base/language'
import { useLive } from '../../api/live.tsx'
import type { Connection } from '../../api/stream.ts'
import classes from './connection-badge.module.css'

const words: Record<Connection, { text: string; tone: string; title: string }> = {
  connecting: { text: /*i18n*/ 'connecting', tone: 'warn', title: /*i18n*/ 'Connecting to the server' },
  live: { text: /*i18n*/ 'live', tone: 'good', title: /*i18n*/ 'The page shows everything as it happens' },
  reconnecting: {
    text: /*i18n*/ 'reconnecting',
    tone: 'warn',
    title: /*i18n*/ 'The connection was lost. The page reconnects and catches up automatically',
  },
  offline: {
    text: /*i18n*/ 'offline',
    tone: 'bad',
    title: /*i18n*/ 'The server does not respond. Start it with npm start; this page reconnects automatically',
  },
  revoked: {
    text: /*i18n*/ 'no access',
    tone: 'bad',
    title: /*i18n*/ 'The server no longer accepts this browser. Open a link to it again',
  },
  crowded: { text: /*i18n*/ 'reload the page', tone: 'bad', title: /*i18n*/ 'Too many other pages of yours are open' },
  outdated: {
    text: /*i18n*/ 'reload the page',
    tone: 'bad',
    title: /*i18n*/ 'The server and this page have different versions',
  },
}

/** Shows whether the page is up to date. */
export function ConnectionBadge() {
  const connection = useLive((snapshot) => snapshot.connection)
  const { text, tone, title } = words[connection]
  return (
    <div
      role="status"
      aria-label={i18n.t('Connection')}
      title={i18n.t(title)}
      className={`${classes.badge} row one-line medium no-wrap ${tone}`}
      data-tone={tone}
    >
      <span className={classes.dot} aria-hidden />
      <span className={classes.text}>{i18n.t(text)}</span>
    </div>
  )
}
