import { useLive } from '../../api/live.tsx'
import type { Connection } from '../../api/stream.ts'
import classes from './connection-badge.module.css'

const words: Record<Connection, { text: string; tone: string; title: string }> = {
  connecting: { text: 'connecting', tone: 'warn', title: 'Opening the connection to the server' },
  live: { text: 'live', tone: 'good', title: 'Everything that happens is shown as it happens' },
  reconnecting: {
    text: 'reconnecting',
    tone: 'warn',
    title: 'The connection was lost and is being made again; nothing will be missing',
  },
  offline: {
    text: 'offline',
    tone: 'bad',
    title: 'The server does not answer. Start it again with npm start; this page reconnects by itself',
  },
  outdated: { text: 'reload the page', tone: 'bad', title: 'The server is of another version than this page' },
}

/** Whether what the page shows is up to date. */
export function ConnectionBadge() {
  const connection = useLive((snapshot) => snapshot.connection)
  const { text, tone, title } = words[connection]
  return (
    <div role="status" aria-label="Connection" title={title} className={classes.badge} data-tone={tone}>
      <span className={classes.dot} aria-hidden />
      {text}
    </div>
  )
}
