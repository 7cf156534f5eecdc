import { i18n } from '@expresslane/shared/base/language'
import type { Door } from '@expresslane/shared/wire/board'
import type { GuestRole } from '@expresslane/shared/wire/room'
import { Button } from '../../components/controls.tsx'
import type { RoomChanges } from '../../api/room.ts'
import { Card } from '../../components/card.tsx'
import { ChangeProblem } from '../../components/problem-notice.tsx'
import classes from '../board.module.css'
import { Invitations } from './invitations.tsx'
import { guestNames, LinkView } from './link-view.tsx'

/** How people come in: the doors with their short codes, and the invitations. */
export function DoorsCard({ doors, change }: { doors: readonly Door[]; change: RoomChanges['door'] }) {
  return (
    <Card labelledBy="entry">
      <h2 id="entry" className="heading">
        {i18n.t('Let people in')}
      </h2>
      {doors.map((door) => (
        <DoorView key={door.role} door={door} change={change} />
      ))}
      <ChangeProblem of={change} />
      <Invitations />
    </Card>
  )
}

const purposes: Readonly<Record<GuestRole, string>> = {
  participant: /*i18n*/ 'They do the lab on their own testbeds.',
  viewer: /*i18n*/ 'They only see what is presented.',
}

function DoorView({ door: { role, code, link }, change }: { door: Door; change: RoomChanges['door'] }) {
  const names = guestNames(role)
  const open = link !== null
  const pending = change.isPending && change.variables.role === role
  return (
    <section className={`${classes.part} ruled`} aria-label={i18n.t('Door for {names}', { names })}>
      <div className="row between">
        <h3 className="large">
          {names[0]?.toUpperCase()}
          {names.slice(1)}
        </h3>
        <span className="row tight">
          {open && (
            <Button
              variant="subtle"
              size="compact-md"
              disabled={pending}
              aria-label={i18n.t('New code for {names}', { names })}
              onClick={() => change.mutate({ role, open: true })}
            >
              {i18n.t('New code')}
            </Button>
          )}
          <Button
            variant="default"
            size="compact-md"
            loading={pending}
            aria-label={
              open ? i18n.t('Close the door for {names}', { names }) : i18n.t('Open the door for {names}', { names })
            }
            onClick={() => change.mutate({ role, open: !open })}
          >
            {open ? i18n.t('Close') : i18n.t('Open')}
          </Button>
        </span>
      </div>
      <p className="muted">{i18n.t(purposes[role])}</p>
      {open && code === null && (
        <p className="muted">
          {i18n.t(
            'Many wrong codes were typed, so there is none to type for some minutes. The link works. “New code” makes one now.',
          )}
        </p>
      )}
      {open && <LinkView link={link} code={code} what={i18n.t('the door for {names}', { names })} />}
    </section>
  )
}
