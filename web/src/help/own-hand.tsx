import { i18n } from '@expresslane/shared/base/language'
import type { SessionId } from '@expresslane/shared/run/events'
import { useHandChanges, useHands } from '../api/hands.ts'
import { Button } from '../components/controls.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { IconHandStop } from '../icons.tsx'
import classes from './help.module.css'

interface OwnHandProps {
  session: SessionId
  /** The step that the page shows. */
  stepId: string
}

/** A participant’s hand: up with its place, or the button that raises it. */
export function OwnHand({ session, stepId }: OwnHandProps) {
  const [hand] = useHands()
  const { raise, lower, consent } = useHandChanges(session)
  const isHere = hand?.sessionId === session
  return (
    <section aria-label={i18n.t('Help from the instructor')}>
      <div role="status" className={`${isHere ? classes.hand : ''} row between`}>
        {isHere ? (
          <>
            <p>
              <strong>
                {i18n.t('{before, plural, =0 {Hand up, nobody before you.} other {Hand up, # before you.}}', {
                  before: hand.before,
                })}
              </strong>{' '}
              {hand.letsIn
                ? i18n.t('The instructor may look at your step and terminals.')
                : i18n.t('Only you see your terminals.')}
            </p>
            <div className="row tight">
              <Button
                variant="default"
                size="compact-md"
                loading={consent.isPending}
                onClick={() => consent.mutate({ letsIn: !hand.letsIn })}
              >
                {hand.letsIn ? i18n.t('Don’t let them look') : i18n.t('Let the instructor look')}
              </Button>
              <Button variant="subtle" size="compact-md" loading={lower.isPending} onClick={() => lower.mutate()}>
                {i18n.t('Lower my hand')}
              </Button>
            </div>
          </>
        ) : (
          <>
            <Button
              variant="default"
              size="compact-md"
              leftSection={<IconHandStop size={18} stroke={1.8} aria-hidden />}
              loading={raise.isPending}
              onClick={() => raise.mutate(stepId)}
            >
              {i18n.t('I’m stuck')}
            </Button>
            {hand !== undefined && (
              <p className="muted">{i18n.t('Your hand is up in another lab. You can raise it here, too.')}</p>
            )}
          </>
        )}
      </div>
      <ChangeProblem of={raise} />
      <ChangeProblem of={lower} />
      <ChangeProblem of={consent} />
    </section>
  )
}
