/** Help in a workshop: hands, and an instructor who looks. Public exports of this folder. */
import type { Session } from '@expresslane/shared/wire/protocol'
import { useMe } from '../api/queries.ts'
import { OwnHand } from './own-hand.tsx'
import { TheirHand } from './their-hand.tsx'

export { HandsUp } from './hands-up.tsx'
export { SharingNotice } from './sharing-notice.tsx'

interface HelpBarProps {
  session: Session
  /** The step that the page shows. */
  stepId: string
}

/** Above a lab in a workshop: a participant’s own hand, or for an instructor the hand of the participant whose lab it is. */
export function HelpBar({ session, stepId }: HelpBarProps) {
  const { data: me } = useMe()
  if (me?.workshop !== true) return null
  if (me.role === 'instructor') return <TheirHand session={session.id} />
  return session.owner === me.id ? <OwnHand session={session.id} stepId={stepId} /> : null
}
