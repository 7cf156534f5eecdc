import { i18n } from '@expresslane/shared/base/language'
import type { RoomView } from '@expresslane/shared/wire/board'
import type { Lab } from '@expresslane/shared/labs/lab'
import { Button } from '../components/controls.tsx'
import { IconPlayerPause, IconPlayerPlay } from '../icons.tsx'
import type { RoomChanges } from '../api/room.ts'
import { Card } from '../components/card.tsx'
import { ChangeProblem, FetchProblem } from '../components/problem-notice.tsx'
import { waitingFor } from '../words/format.ts'
import classes from './board.module.css'
import { RunningList } from './running-list.tsx'

interface QueueCardProps {
  queue: RoomView['queue']
  labs: readonly Lab[]
  /** When the board was read, in milliseconds since the epoch. */
  at: number
  changes: RoomChanges
}

/** Who measures and who waits for that, in the order of their turns; pausing, cancelling, and moving one to the front. */
export function QueueCard({ queue: { paused, running, waiting }, labs, at, changes }: QueueCardProps) {
  const { pause, jump } = changes
  return (
    <Card labelledBy="queue">
      <div className={`${classes.head} row between`}>
        <h2 id="queue" className="heading">
          {i18n.t('Queue')}
        </h2>
        <Button
          variant="default"
          size="compact-md"
          leftSection={paused ? <IconPlayerPlay size={18} aria-hidden /> : <IconPlayerPause size={18} aria-hidden />}
          loading={pause.isPending}
          onClick={() => pause.mutate(!paused)}
        >
          {paused ? i18n.t('Resume') : i18n.t('Pause')}
        </Button>
      </div>
      <RunningList running={running} labs={labs} at={at} cancel={changes.cancel} />
      <p role="status" className={`${classes.state} ${paused ? 'warn medium' : 'muted'}`}>
        {paused
          ? i18n.t('Paused: running measurements continue, and no others start.')
          : waiting.length === 0
            ? i18n.t('Nobody is waiting.')
            : i18n.t('{count, plural, one {# measurement is waiting.} other {# measurements are waiting.}}', {
                count: waiting.length,
              })}
      </p>
      {waiting.length > 0 && (
        <ol role="list" aria-label={i18n.t('Waiting')}>
          {waiting.map((one, index) => {
            const { runId, name } = one
            return (
              <li key={runId} className={`${classes.line} row one-line ruled`}>
                <span className="muted numbers">{index + 1}</span>
                <span className="grow">
                  <span className="block medium break-anywhere">{name}</span>
                  <span className="muted">{waitingFor(labs, one)}</span>
                </span>
                {index > 0 && (
                  <Button
                    variant="subtle"
                    size="compact-md"
                    aria-label={i18n.t('Move {name} to the front', { name })}
                    disabled={jump.isPending}
                    onClick={() => jump.mutate(runId)}
                  >
                    {i18n.t('To the front')}
                  </Button>
                )}
              </li>
            )
          })}
        </ol>
      )}
      {pause.error !== null && <FetchProblem error={pause.error} retry={() => pause.mutate(!paused)} />}
      <ChangeProblem of={jump} />
    </Card>
  )
}
