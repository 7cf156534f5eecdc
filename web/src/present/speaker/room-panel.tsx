import { LabError } from '@expresslane/shared/wire/errors'
import { useRoom } from '../../api/room.ts'
import { Card } from '../../components/card.tsx'
import classes from './room-panel.module.css'

/** Who follows, and who waits for a measurement. */
export function RoomPanel({ followers }: { followers: number }) {
  const { data, error } = useRoom()
  // A server that serves no room has no board.
  const noRoom = error instanceof LabError && data === undefined
  return (
    <Card labelledBy="speaker-room">
      <h2 id="speaker-room">The room</h2>
      <p>
        <strong>{followers}</strong> {followers === 1 ? 'follows' : 'follow'}
        {data !== undefined && (
          <>
            , <strong>{data.participants.filter(({ online }) => online).length}</strong> of {data.participants.length}{' '}
            participants are connected
          </>
        )}
      </p>
      {noRoom && <p className={classes.quiet}>Start the server with npm start -- --workshop to let people in.</p>}
      {data !== undefined && (
        <>
          <p className={classes.quiet}>
            {data.queue.paused ? 'The queue is paused. ' : ''}
            {data.queue.waiting.length === 0 ? 'Nobody waits for a measurement.' : 'Waiting for a measurement:'}
          </p>
          {data.queue.waiting.length > 0 && (
            <ol className={classes.queue}>
              {data.queue.waiting.map(({ runId, name, stepId }) => (
                <li key={runId}>
                  {name}: {stepId}
                </li>
              ))}
            </ol>
          )}
        </>
      )}
    </Card>
  )
}
