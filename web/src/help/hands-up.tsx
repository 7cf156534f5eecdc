import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { HandView } from '@expresslane/shared/wire/hand'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { useHandChanges, useHands } from '../api/hands.ts'
import { Card } from '../components/card.tsx'
import { Button } from '../components/controls.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { useNow } from '../components/run/time-left.tsx'
import { preloadWatchedDock } from '../terminal/index.ts'
import { formatDuration, waitingFor } from '../words/format.ts'
import classes from './help.module.css'

/** The hands on the board, in the order in which they were raised. */
export function HandsUp({ labs }: { labs: readonly Lab[] }) {
  const hands = useHands()
  const canLook = hands.some(({ letsIn }) => letsIn)
  useEffect(() => {
    if (canLook) preloadWatchedDock()
  }, [canLook])
  return (
    <Card labelledBy="hands">
      <h2 id="hands" className="heading">
        {i18n.t('Hands up')}
      </h2>
      <p role="status" className="muted">
        {hands.length === 0
          ? i18n.t('Nobody is stuck.')
          : i18n.t('{count, plural, one {# hand is up.} other {# hands are up.}}', { count: hands.length })}
      </p>
      {hands.length > 0 && (
        <ol role="list" aria-label={i18n.t('Hands up')}>
          {hands.map((hand) => (
            <Line key={hand.sessionId} hand={hand} labs={labs} />
          ))}
        </ol>
      )}
    </Card>
  )
}

function Line({ hand, labs }: { hand: HandView; labs: readonly Lab[] }) {
  const { name, sessionId, labId, stepId, raisedAt, before, letsIn } = hand
  const { look, lower } = useHandChanges(sessionId)
  const navigate = useNavigate()
  const now = useNow()
  const show = (): void =>
    look.mutate(false, { onSuccess: () => void navigate(`/labs/${labId}/sessions/${sessionId}/${stepId}`) })
  return (
    <li className={`${classes.line} ruled`}>
      <div className="row one-line top">
        <span className="muted numbers">{before + 1}</span>
        <span className="grow">
          <span className="block medium break-anywhere">{name}</span>
          <span className="muted">{waitingFor(labs, hand)}</span>
        </span>
        <span className="muted numbers no-wrap">{formatDuration(Math.max(0, now - raisedAt))}</span>
      </div>
      <div className="row tight">
        {letsIn ? (
          <Button
            size="compact-md"
            aria-label={i18n.t('Look at the session of {name}', { name })}
            loading={look.isPending}
            onClick={show}
          >
            {i18n.t('Look')}
          </Button>
        ) : (
          <span className="muted">{i18n.t('Does not let you look.')}</span>
        )}
        <Button
          variant="subtle"
          size="compact-md"
          aria-label={i18n.t('Lower the hand of {name}', { name })}
          loading={lower.isPending}
          onClick={() => lower.mutate()}
        >
          {i18n.t('Lower')}
        </Button>
      </div>
      <ChangeProblem of={look} />
      <ChangeProblem of={lower} />
    </li>
  )
}
