import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { waitWords } from '@expresslane/shared/run/queue-words'
import type { RoomView } from '@expresslane/shared/wire/board'
import { Button } from '../components/controls.tsx'
import { IconHourglassHigh, IconPlayerStop } from '../icons.tsx'
import type { RoomChanges } from '../api/room.ts'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { useNow } from '../components/run/time-left.tsx'
import { formatDuration, waitingFor } from '../words/format.ts'
import classes from './board.module.css'

type Running = RoomView['queue']['running'][number]

interface RunningListProps {
  running: readonly Running[]
  labs: readonly Lab[]
  /** When the board was read, in milliseconds since the epoch. */
  at: number
  cancel: RoomChanges['cancel']
}

/** A run that takes longer than this in all, in seconds, stands out: others feel the wait. */
const LONG_SECONDS = 60

/** The runs that others wait for, the longest first, with a way to end each. */
export function RunningList({ running, labs, at, cancel }: RunningListProps) {
  const since = Math.max(0, useNow() - at) / 1000
  const left = ({ leftSeconds }: Running): number => Math.max(0, (leftSeconds ?? 0) - since)
  const whole = (one: Running): number => one.seconds + since + left(one)
  if (running.length === 0) return null
  return (
    <>
      <ul role="list" aria-label={i18n.t('Running')}>
        {running
          .toSorted((a, b) => whole(b) - whole(a))
          .map((one) => {
            const isLong = whole(one) > LONG_SECONDS
            const time = formatDuration(Math.floor(one.seconds + since) * 1000).replace(/[.,]0 s/, ' s')
            const rest = one.leftSeconds === null ? null : waitWords(left(one))
            const words =
              rest === null ? i18n.t('{time} so far', { time }) : i18n.t('{time} so far, {rest} left', { time, rest })
            return (
              <li key={one.runId} className={`${classes.line} row one-line between ruled`}>
                <span>
                  <span className="block medium break-anywhere">{one.name}</span>
                  <span className="muted">{waitingFor(labs, one)}</span>
                  <span className={`row tight one-line numbers ${isLong ? 'warn medium' : 'muted'}`}>
                    {isLong && <IconHourglassHigh className="fixed" size={18} stroke={1.8} aria-hidden />}
                    {isLong ? i18n.t('Long run: {words}', { words }) : words}
                  </span>
                </span>
                <Button
                  variant={isLong ? 'filled' : 'default'}
                  size="compact-md"
                  leftSection={<IconPlayerStop size={18} aria-hidden />}
                  aria-label={i18n.t('Cancel the run of {name}', { name: one.name })}
                  loading={cancel.isPending && cancel.variables === one.runId}
                  disabled={cancel.isSuccess && cancel.variables === one.runId}
                  onClick={() => cancel.mutate(one.runId)}
                >
                  {i18n.t('Cancel')}
                </Button>
              </li>
            )
          })}
      </ul>
      <ChangeProblem of={cancel} />
    </>
  )
}
