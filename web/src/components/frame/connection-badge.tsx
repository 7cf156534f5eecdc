import { useLive } from '../../api/live.tsx'
import type { Connection } from '../../api/stream.ts'
import classes from './connection-badge.module.css'

const words: Record<Connection, { text: string; tone: string; title: string }> = {
  connecting: { text: 'connecting', tone: 'warn', title: 'Connecting to the server' },
  live: { text: 'live', tone: 'good', title: 'The page shows everything as it happens' },
  reconnecting: {
    text: 'reconnecting',
    tone: 'warn',
    title: 'The connection was lost. The page reconnects and catches up automatically',
  },
  offline: {
    text: 'offline',
    tone: 'bad',
    title: 'The server does not respond. Start it with npm start; this page reconnects automatically',
  },
  revoked: {
    text: 'no access',
    tone: 'bad',
    title: 'The server no longer accepts this browser. Open a link to it again',
  },
  crowded: { text: 'reload the page', tone: 'bad', title: 'Too many other pages of yours are open' },
  outdated: { text: 'reload the page', tone: 'bad', title: 'The server and this page have different versions' },
}

/** Shows whether the page is up to date. */
export function ConnectionBadge() {
  const connection = useLive((snapshot) => snapshot.connection)
  const { text, tone, title } = words[connection]
  return (
    <div
      role="status"
      aria-label="Connection"
      title={title}
      className={`${classes.badge} row one-line medium no-wrap ${tone}`}
      data-tone={tone}
    >
      <span className={classes.dot} aria-hidden />
      <span className={classes.text}>{text}</span>
    </div>
  )
}
