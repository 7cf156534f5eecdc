import { i18n } from '@expresslane/shared/base/language'
import type { RoomView } from '@expresslane/shared/wire/board'
import { Button } from '../../components/controls.tsx'
import type { RoomChanges } from '../../api/room.ts'
import { Notice } from '../../components/notice.tsx'
import { ChangeProblem } from '../../components/problem-notice.tsx'

interface CrowdedProps {
  crowded: RoomView['crowded']
  /** The most participants. */
  limit: number
  allow: RoomChanges['allowFrom']
}

/** The networks from which several people joined: a room behind one address, or one machine that takes the seats. */
export function Crowded({ crowded, limit, allow }: CrowdedProps) {
  return crowded.map(({ network, people, most }) => (
    <Notice
      key={network}
      tone={people < most ? 'info' : 'warn'}
      title={i18n.t('{people} people joined from {network}', { people, network })}
      role="status"
    >
      <p>
        {most < limit &&
          `${
            people < most
              ? i18n.t('Up to {most} can join from there until you allow more.', { most })
              : i18n.t('No more can join from there until you allow more.')
          } `}
        {i18n.t('A whole room can share one address. If this is not your room, remove who does not belong here.')}
      </p>
      <Button variant="default" size="compact-md" loading={allow.isPending} onClick={() => allow.mutate(network)}>
        {i18n.t('This is my room')}
      </Button>
      <ChangeProblem of={allow} />
    </Notice>
  ))
}
