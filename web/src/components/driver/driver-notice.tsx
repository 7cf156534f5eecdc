import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { Me } from '@expresslane/shared/wire/room'
import type { Driver } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { Button } from '../controls.tsx'
import { ANSWER_MS, useDriver, useDriving } from '../../api/driver.ts'
import { useMe } from '../../api/queries.ts'
import { formatClock } from '../../words/format.ts'
import { ChangeProblem } from '../problem-notice.tsx'
import { TimeLeft, useNow } from '../run/time-left.tsx'
import classes from './driver-notice.module.css'

interface DriverNoticeProps {
  /** A cluster that everybody in the workshop shares. */
  testbed: TestbedId
}

/** Who drives a shared cluster and since when; asking, taking over and giving it back. Empty outside workshops. */
export function DriverNotice({ testbed }: DriverNoticeProps) {
  const { data: me } = useMe()
  const driver = useDriver(testbed)
  if (me === undefined || driver === undefined) return null
  return <Shared testbed={testbed} driver={driver} me={me} />
}

function Shared({ testbed, driver, me }: DriverNoticeProps & { driver: Driver | null; me: Me }) {
  const { ask, giveBack } = useDriving(testbed)
  const driving = driver?.person === me.id
  return (
    <div role="status" className="stack">
      {driver === null && <p>{i18n.t('Nobody drives this cluster. The first to start a step drives it.')}</p>}
      {driver !== null && driving && (
        <Own driver={driver} give={() => giveBack.mutate()} pending={giveBack.isPending} />
      )}
      {driver !== null && !driving && (
        <Theirs driver={driver} me={me} ask={() => ask.mutate()} pending={ask.isPending} />
      )}
      <ChangeProblem of={ask} />
      <ChangeProblem of={giveBack} />
    </div>
  )
}

function Own({ driver: { since }, give, pending }: { driver: Driver; give: () => void; pending: boolean }) {
  return (
    <div className={`${classes.row} row between`}>
      <p>
        {i18n.t('You have been driving this cluster since {since}. The others follow.', { since: formatClock(since) })}
      </p>
      <Button variant="default" size="compact-md" disabled={pending} onClick={give}>
        {i18n.t('Stop driving')}
      </Button>
    </div>
  )
}

interface TheirsProps {
  driver: Driver
  me: Me
  ask: () => void
  pending: boolean
}

function Theirs({ driver: { name, since, asked }, me, ask, pending }: TheirsProps) {
  const now = useNow()
  const mine = asked?.person === me.id
  const due = mine && now >= asked.at + ANSWER_MS
  return (
    <div className={`${classes.row} row between`}>
      <p>
        <Trans
          id="<0>{name}</0> has been driving this cluster since {since}. You follow their steps."
          values={{ name, since: formatClock(since) }}
          components={{ 0: <strong /> }}
        />{' '}
        {mine && !due && (
          <Trans
            id="You asked to drive; you can take over <0/>."
            components={{ 0: <TimeLeft until={asked.at + ANSWER_MS} /> }}
          />
        )}
        {asked !== null && !mine && i18n.t('{name} asked to drive.', { name: asked.name })}
      </p>
      {(!mine || due) && (
        <Button variant="default" size="compact-md" loading={pending} onClick={ask}>
          {due || me.role === 'instructor' ? i18n.t('Take over') : i18n.t('Ask to take over')}
        </Button>
      )}
    </div>
  )
}
