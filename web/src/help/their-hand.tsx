import { i18n } from '@expresslane/shared/base/language'
import type { SessionId } from '@expresslane/shared/run/events'
import type { HandView } from '@expresslane/shared/wire/hand'
import { useEffect, useRef, useState } from 'react'
import { useHandChanges, useHands, useSharing } from '../api/hands.ts'
import { Button } from '../components/controls.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { IconEye, IconHandStop } from '../icons.tsx'
import classes from './help.module.css'

/** Leaves with the page: another page, a closed tab or a reload. @returns whether the sharing ended while the page shows the session */
function useLeaving(isLooking: boolean, leave: () => void): boolean {
  const [hasLooked, setHasLooked] = useState(false)
  if (isLooking && !hasLooked) setHasLooked(true)
  const latest = useRef({ isLooking, leave })
  useEffect(() => {
    latest.current = { isLooking, leave }
  })
  useEffect(() => {
    const go = (): void => {
      if (latest.current.isLooking) latest.current.leave()
    }
    window.addEventListener('pagehide', go)
    return () => {
      window.removeEventListener('pagehide', go)
      go()
    }
  }, [])
  return hasLooked && !isLooking
}

/** For an instructor at the lab of a participant: their hand, and the sharing. Empty if there is neither. */
export function TheirHand({ session }: { session: SessionId }) {
  const hand = useHands().find(({ sessionId }) => sessionId === session)
  const sharing = useSharing(session)
  const changes = useHandChanges(session)
  const Icon = sharing === null ? IconHandStop : IconEye
  const hasEnded = useLeaving(sharing !== null, () => changes.leave.mutate())
  return (
    <section aria-label={i18n.t('Help for the participant')}>
      <div role="status" className={hand !== undefined || hasEnded ? classes.hand : ''}>
        {hasEnded && <p className="strong">{i18n.t('The sharing has ended. You no longer see the terminals.')}</p>}
        {hand !== undefined && (
          <div className="row between">
            <p className="row one-line tight">
              <Icon size={22} stroke={1.8} aria-hidden className="fixed" />
              <span>{sharing === null ? raisedWords(hand) : sharingWords(hand.name, sharing)}</span>
            </p>
            <div className="row tight">
              {sharing === null && hand.letsIn && (
                <Button size="compact-md" loading={changes.look.isPending} onClick={() => changes.look.mutate(false)}>
                  {i18n.t('Look')}
                </Button>
              )}
              {sharing?.typing === 'no' && (
                <Button variant="default" size="compact-md" onClick={() => changes.look.mutate(true)}>
                  {i18n.t('Ask to type')}
                </Button>
              )}
              {sharing !== null && (
                <Button size="compact-md" onClick={() => changes.leave.mutate()}>
                  {i18n.t('Leave')}
                </Button>
              )}
              <Button variant="subtle" size="compact-md" onClick={() => changes.lower.mutate()}>
                {i18n.t('Lower the hand')}
              </Button>
            </div>
          </div>
        )}
      </div>
      <ChangeProblem of={changes.look} />
      <ChangeProblem of={changes.leave} />
      <ChangeProblem of={changes.lower} />
    </section>
  )
}

function raisedWords({ name, letsIn }: HandView): string {
  return letsIn
    ? i18n.t('{name} is stuck, and lets you look.', { name })
    : i18n.t('{name} is stuck, and does not let you look at the terminals.', { name })
}

function sharingWords(name: string, { typing, terminals }: NonNullable<HandView['sharing']>): string {
  const open = terminals.length === 0 ? i18n.t('No terminal is open.') : i18n.t('The terminals are below.')
  const rights = {
    no: i18n.t('You look, and {name} sees that. You can’t type.', { name }),
    asked: i18n.t('You asked {name} to let you type.', { name }),
    allowed: i18n.t('{name} lets you type.', { name }),
  }
  return `${rights[typing]} ${open}`
}
