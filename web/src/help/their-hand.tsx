import type { SessionId } from '@expresslane/shared/run/events'
import type { HandView } from '@expresslane/shared/wire/hand'
import { useEffect, useRef, useState } from 'react'
import { useHandChanges, useHands, useVisit } from '../api/hands.ts'
import { Button } from '../components/controls.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { IconEye, IconHandStop } from '../icons.tsx'
import classes from './help.module.css'

/** Leaves with the page: another page, a closed tab or a reload. @returns whether the visit ended while the page shows the session */
function useLeaving(isVisiting: boolean, leave: () => void): boolean {
  const [hasVisited, setHasVisited] = useState(false)
  if (isVisiting && !hasVisited) setHasVisited(true)
  const latest = useRef({ isVisiting, leave })
  useEffect(() => {
    latest.current = { isVisiting, leave }
  })
  useEffect(() => {
    const go = (): void => {
      if (latest.current.isVisiting) latest.current.leave()
    }
    window.addEventListener('pagehide', go)
    return () => {
      window.removeEventListener('pagehide', go)
      go()
    }
  }, [])
  return hasVisited && !isVisiting
}

/** For an instructor at the lab of a participant: their hand, and the visit. Empty if there is neither. */
export function TheirHand({ session }: { session: SessionId }) {
  const hand = useHands().find(({ sessionId }) => sessionId === session)
  const visit = useVisit(session)
  const changes = useHandChanges(session)
  const Icon = visit === null ? IconHandStop : IconEye
  const hasEnded = useLeaving(visit !== null, () => changes.leave.mutate())
  return (
    <section aria-label="Help for the participant">
      <div role="status" className={hand !== undefined || hasEnded ? classes.hand : ''}>
        {hasEnded && <p className="strong">The visit has ended. You no longer see the terminals.</p>}
        {hand !== undefined && (
          <div className="row between">
            <p className="row one-line tight">
              <Icon size={22} stroke={1.8} aria-hidden className="fixed" />
              <span>{visit === null ? raisedWords(hand) : visitWords(hand.name, visit)}</span>
            </p>
            <div className="row tight">
              {visit === null && hand.letsIn && (
                <Button size="compact-md" loading={changes.look.isPending} onClick={() => changes.look.mutate(false)}>
                  Look
                </Button>
              )}
              {visit?.typing === 'no' && (
                <Button variant="default" size="compact-md" onClick={() => changes.look.mutate(true)}>
                  Ask to type
                </Button>
              )}
              {visit !== null && (
                <Button size="compact-md" onClick={() => changes.leave.mutate()}>
                  Leave
                </Button>
              )}
              <Button variant="subtle" size="compact-md" onClick={() => changes.lower.mutate()}>
                Lower the hand
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
    ? `${name} is stuck, and lets you look.`
    : `${name} is stuck, and does not let you look at the terminals.`
}

function visitWords(name: string, { typing, terminals }: NonNullable<HandView['visit']>): string {
  const open = terminals.length === 0 ? 'No terminal is open.' : 'The terminals are below.'
  const rights = {
    no: `You look, and ${name} sees that. You can’t type.`,
    asked: `You asked ${name} to let you type.`,
    allowed: `${name} lets you type.`,
  }
  return `${rights[typing]} ${open}`
}
