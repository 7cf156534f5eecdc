import { i18n } from '@expresslane/shared/base/language'
import type { Invitation } from '@expresslane/shared/wire/board'
import { guestRole, type GuestRole } from '@expresslane/shared/wire/room'
import { Button } from '../../components/controls.tsx'
import { useState } from 'react'
import { useInvitations } from '../../api/room.ts'
import { Dialog, DialogButtons } from '../../components/dialog/dialog.tsx'
import { FetchProblem } from '../../components/problem-notice.tsx'
import { useNow } from '../../components/run/time-left.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { formatTime } from '../../words/format.ts'
import classes from '../board.module.css'
import { guestNames, LinkView } from './link-view.tsx'

const hoursOffered = [1, 4, 12, 24, 72] as const
const USUAL_HOURS = 12

type Changes = ReturnType<typeof useInvitations>

/** The invitations: who they let in, until when, and how many have joined. */
export function Invitations() {
  const changes = useInvitations()
  const [making, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  const { list, revoke } = changes
  const now = useNow()
  const valid = list.data?.invitations.filter((one) => isValid(one, now)) ?? []
  return (
    <section className={`${classes.part} ruled`} aria-label={i18n.t('Invitations')}>
      <div className="row between">
        <h3 className="large">{i18n.t('Invitations')}</h3>
        <Button variant="default" size="compact-md" onClick={() => setMaking(true)}>
          {i18n.t('New invitation')}
        </Button>
      </div>
      <p className="muted">
        {i18n.t('Links that you can send in advance. They also work while the doors are closed.')}
      </p>
      {list.error !== null && <FetchProblem error={list.error} retry={() => void list.refetch()} />}
      {valid.length > 0 && (
        <ul role="list" aria-label={i18n.t('Valid invitations')}>
          {valid.map((invitation) => (
            <li key={invitation.id} className={`${classes.line} row one-line between ruled`}>
              <span>
                {i18n.t('For {names}, {joined} joined', {
                  names: guestNames(invitation.role),
                  joined: invitation.joined,
                })}
                <span className="block muted">
                  {i18n.t('until {time}', { time: formatTime(invitation.expiresAt) })}
                </span>
              </span>
              <Button
                variant="subtle"
                size="compact-md"
                aria-label={i18n.t('Revoke the invitation for {names} of {time}', {
                  names: guestNames(invitation.role),
                  time: formatTime(invitation.createdAt),
                })}
                onClick={() => setRevoking(invitation)}
              >
                {i18n.t('Revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {revoking !== null && (
        <Revocation
          invitation={revoking}
          revoke={revoke}
          onClose={() => {
            setRevoking(null)
            revoke.reset()
          }}
        />
      )}
      {making && (
        <NewInvitation
          create={changes.create}
          onClose={() => {
            setMaking(false)
            changes.create.reset()
          }}
        />
      )}
    </section>
  )
}

function isValid({ revokedAt, expiresAt }: Invitation, now: number): boolean {
  return revokedAt === null && expiresAt > now
}

interface RevocationProps {
  invitation: Invitation
  revoke: Changes['revoke']
  onClose: () => void
}

function Revocation({ invitation: { id, role, joined }, revoke, onClose }: RevocationProps) {
  const revokeNow = (): void => revoke.mutate(id, { onSuccess: onClose })
  return (
    <Dialog title={i18n.t('Revoke the invitation for {names}?', { names: guestNames(role) })} onClose={onClose}>
      <p>
        {joined === 0
          ? i18n.t('Nobody has joined with it. The link stops working at once.')
          : i18n.t('The link stops working, and the {joined} who joined with it lose access at once.', { joined })}
      </p>
      {revoke.error !== null && <FetchProblem error={revoke.error} retry={revokeNow} />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {i18n.t('Keep')}
        </Button>
        <Button variant="danger" loading={revoke.isPending} onClick={revokeNow}>
          {i18n.t('Revoke')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

function NewInvitation({ create, onClose }: { create: Changes['create']; onClose: () => void }) {
  const [role, setRole] = useState<GuestRole>('participant')
  const [hours, setHours] = useState<number>(USUAL_HOURS)
  if (create.data !== undefined) {
    const { link, invitation } = create.data
    const names = guestNames(invitation.role)
    return (
      <Dialog title={i18n.t('An invitation for {names}', { names })} onClose={onClose}>
        <LinkView link={link} what={i18n.t('the invitation for {names}', { names })} />
        <p className="muted">
          {i18n.t('Copy it now: it is not shown again. It works until {time}, or until you revoke it.', {
            time: formatTime(invitation.expiresAt),
          })}
        </p>
        <DialogButtons>
          <Button onClick={onClose}>{i18n.t('Done')}</Button>
        </DialogButtons>
      </Dialog>
    )
  }
  return (
    <Dialog title={i18n.t('New invitation')} onClose={onClose}>
      <div className="row wide">
        <SelectField
          label={i18n.t('For')}
          value={role}
          options={guestRole.options.map((one) => [one, guestNames(one)])}
          onChange={(chosen) => setRole(guestRole.parse(chosen))}
        />
        <SelectField
          label={i18n.t('Valid for')}
          value={`${hours}`}
          options={hoursOffered.map((one) => [
            `${one}`,
            i18n.t('{hours, plural, one {# hour} other {# hours}}', { hours: one }),
          ])}
          onChange={(chosen) => setHours(Number(chosen))}
        />
      </div>
      {create.error !== null && <FetchProblem error={create.error} retry={() => create.mutate({ role, hours })} />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {i18n.t('Cancel')}
        </Button>
        <Button loading={create.isPending} onClick={() => create.mutate({ role, hours })}>
          {i18n.t('Create')}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
