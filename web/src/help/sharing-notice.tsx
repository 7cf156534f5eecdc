import { i18n } from '@expresslane/shared/base/language'
import type { HandView } from '@expresslane/shared/wire/hand'
import { useHandChanges, useHands } from '../api/hands.ts'
import { Button } from '../components/controls.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'
import { IconEye } from '../icons.tsx'
import classes from './help.module.css'

/** On every page of a participant, as long as the instructor looks. */
export function SharingNotice({ person }: { person: string }) {
  const hand = useHands().find((one) => one.person === person)
  const sharing = hand?.sharing ?? null
  return (
    <div role="status" className={classes.sharing}>
      {hand !== undefined && sharing !== null && <Shared hand={hand} typing={sharing.typing} />}
    </div>
  )
}

type Typing = NonNullable<HandView['sharing']>['typing']

function Shared({ hand, typing }: { hand: HandView; typing: Typing }) {
  const { consent } = useHandChanges(hand.sessionId)
  return (
    <div className={classes.shared}>
      <div className="row between">
        <p className="row one-line tight strong">
          <IconEye size={22} stroke={1.8} aria-hidden className="fixed" />
          <span>
            {typing === 'allowed'
              ? i18n.t('The instructor sees your step and terminals, and can type there.')
              : i18n.t('The instructor sees your step and terminals.')}
          </span>
        </p>
        <div className="row tight">
          {typing === 'allowed' && (
            <Button variant="default" size="compact-md" onClick={() => consent.mutate({ typing: false })}>
              {i18n.t('Stop typing')}
            </Button>
          )}
          <Button size="compact-md" onClick={() => consent.mutate({ letsIn: false })}>
            {i18n.t('End')}
          </Button>
        </div>
      </div>
      {typing === 'asked' && (
        <div className="row between">
          <p>{i18n.t('The instructor asks to type in your terminals.')}</p>
          <div className="row tight">
            <Button variant="default" size="compact-md" onClick={() => consent.mutate({ typing: true })}>
              {i18n.t('Allow typing')}
            </Button>
            <Button variant="subtle" size="compact-md" onClick={() => consent.mutate({ typing: false })}>
              {i18n.t('No, only look')}
            </Button>
          </div>
        </div>
      )}
      <ChangeProblem of={consent} />
    </div>
  )
}
