import type { Me } from '@expresslane/shared/wire/room'
import type { Driver } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { Button } from '@mantine/core'
import { useDriver, useDriving } from '../../api/driver.ts'
import { useMe } from '../../api/queries.ts'
import { formatClock } from '../../words/format.ts'
import { Notice } from '../notice.tsx'
import { FetchProblem } from '../problem-notice.tsx'
import { useNow } from '../run/use-now.ts'
import classes from './driver-notice.module.css'

/** How long the driver has to answer. The server decides; this only says when to press again. */
const ANSWER_MS = 60_000

interface DriverNoticeProps {
  /** A cluster that everybody in the workshop shares. */
  testbed: TestbedId
}

/** Who drives a shared cluster and since when; asking, taking over, and the driver's answer. Empty outside workshops. */
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
    <div role="status" className={classes.driver}>
      {driver === null && <p>Nobody drives this cluster. The first to start a step drives it.</p>}
      {driver !== null && driving && (
        <Own
          driver={driver}
          keep={() => ask.mutate()}
          give={() => giveBack.mutate()}
          pending={ask.isPending || giveBack.isPending}
        />
      )}
      {driver !== null && !driving && (
        <Theirs driver={driver} me={me} ask={() => ask.mutate()} pending={ask.isPending} />
      )}
      {ask.error !== null && <FetchProblem error={ask.error} retry={() => ask.mutate()} />}
      {giveBack.error !== null && <FetchProblem error={giveBack.error} retry={() => giveBack.mutate()} />}
    </div>
  )
}

interface OwnProps {
  driver: Driver
  keep: () => void
  give: () => void
  pending: boolean
}

function Own({ driver: { since, asked }, keep, give, pending }: OwnProps) {
  if (asked === null) {
    return (
      <div className={classes.row}>
        <p>You drive this cluster since {formatClock(since)}. The others follow.</p>
        <Button variant="default" size="compact-md" disabled={pending} onClick={give}>
          Stop driving
        </Button>
      </div>
    )
  }
  return (
    <Notice tone="warn" title={`${asked.name} asks to drive this cluster`}>
      <p>
        Without an answer they can take over <Left until={asked.at + ANSWER_MS} />.
      </p>
      <div className={classes.buttons}>
        <Button size="compact-md" disabled={pending} onClick={keep}>
          Keep driving
        </Button>
        <Button variant="default" size="compact-md" disabled={pending} onClick={give}>
          Let them drive
        </Button>
      </div>
    </Notice>
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
    <div className={classes.row}>
      <p>
        <strong>{name}</strong> drives this cluster since {formatClock(since)}. You follow their steps.{' '}
        {mine && !due && (
          <>
            You asked to drive; you can take over <Left until={asked.at + ANSWER_MS} />.
          </>
        )}
        {asked !== null && !mine && `${asked.name} asked to drive.`}
      </p>
      {(!mine || due) && (
        <Button variant="default" size="compact-md" loading={pending} onClick={ask}>
          {due || me.role === 'instructor' ? 'Take over' : 'Ask to take over'}
        </Button>
      )}
    </div>
  )
}

/** `in 40 s`, counting down; screen readers skip it, because it changes every second. */
function Left({ until }: { until: number }) {
  const now = useNow()
  const seconds = Math.ceil((until - now) / 1000)
  return <span aria-hidden>{seconds > 0 ? `in ${seconds} s` : 'now'}</span>
}
