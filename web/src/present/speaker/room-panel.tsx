import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { useLabs, useMe } from '../../api/queries.ts'
import { useRoom } from '../../api/room.ts'
import { Card } from '../../components/card.tsx'
import { FetchProblem } from '../../components/problem-notice.tsx'
import { waitingFor } from '../../words/format.ts'
import classes from './speaker-window.module.css'

/** Who follows, and who waits for a measurement. */
export function RoomPanel({ followers }: { followers: number }) {
  const { data: me } = useMe()
  return (
    <Card labelledBy="speaker-room">
      <h2 id="speaker-room">{i18n.t('The room')}</h2>
      <p>
        <Trans
          id="{followers, plural, one {<0>#</0> follows} other {<0>#</0> follow}}"
          values={{ followers }}
          components={{ 0: <strong /> }}
        />
      </p>
      {me?.workshop === true && <Participants />}
      {me?.workshop === false && (
        <p className="muted">{i18n.t('Start the server with npm start -- --workshop to let people in.')}</p>
      )}
    </Card>
  )
}

function Participants() {
  const { data, error, refetch } = useRoom()
  const labs = useLabs().data?.labs ?? []
  if (error !== null) return <FetchProblem error={error} retry={() => void refetch()} />
  if (data === undefined) return null
  const { participants, queue } = data
  return (
    <>
      <p>
        <Trans
          id="<0>{connected}</0> of {all} participants are connected"
          values={{
            connected: participants.filter(({ online }) => online).length,
            all: participants.length,
          }}
          components={{ 0: <strong /> }}
        />
      </p>
      <p className="muted">
        {queue.paused ? `${i18n.t('The queue is paused.')} ` : ''}
        {queue.waiting.length === 0
          ? i18n.t('Nobody is waiting for a measurement.')
          : i18n.t('Waiting for a measurement:')}
      </p>
      {queue.waiting.length > 0 && (
        <ol className={`${classes.queue} break-anywhere`}>
          {queue.waiting.map((one) => (
            <li key={one.runId}>
              {one.name} <span className="muted">{waitingFor(labs, one)}</span>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
