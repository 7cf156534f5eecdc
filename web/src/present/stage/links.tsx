import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { Door } from '@expresslane/shared/wire/board'
import { Button } from '../../components/controls.tsx'
import { useEffect, useRef } from 'react'
import { useMe } from '../../api/queries.ts'
import { useRoom, useRoomChanges } from '../../api/room.ts'
import { QrCode } from '../../components/qr/qr-code.tsx'
import { FetchProblem } from '../../components/problem-notice.tsx'
import classes from './overlay.module.css'
import { Overlay } from './overlay.tsx'

const titles = { viewer: /*i18n*/ 'Follow along', participant: /*i18n*/ 'Do the lab yourself' } as const

/** The open doors as QR codes, links and codes, large enough for the back row. */
export function Links({ onClose }: { onClose: () => void }) {
  const { data: me, error, refetch } = useMe()
  return (
    <Overlay title={i18n.t('Join')} onClose={onClose}>
      {me === undefined && error !== null && <FetchProblem error={error} retry={() => void refetch()} />}
      {me?.workshop === true && <Doors />}
      {me?.workshop === false && (
        <p>{i18n.t('This server accepts no participants. Start it with npm start -- --workshop.')}</p>
      )}
    </Overlay>
  )
}

function Doors() {
  const room = useRoom()
  const { door } = useRoomChanges()
  const open = room.data?.doors.filter(({ link }) => link !== null) ?? []
  const openForFollowers = () => door.mutate({ role: 'viewer', open: true })
  return (
    <>
      {room.error !== null && <FetchProblem error={room.error} retry={() => void room.refetch()} />}
      {door.error !== null && <FetchProblem error={door.error} retry={openForFollowers} />}
      {room.data !== undefined && open.length === 0 && door.error === null && (
        <ClosedDoor pending={door.isPending} onOpen={openForFollowers} />
      )}
      <div className={`${classes.doors} row one-line top`}>
        {open
          .toSorted((a) => (a.role === 'viewer' ? -1 : 1))
          .map((one) => (
            <OpenDoor key={one.role} door={one} />
          ))}
      </div>
    </>
  )
}

function ClosedDoor({ pending, onOpen }: { pending: boolean; onOpen: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div className="stack wide">
      <p>{i18n.t('The door is closed.')}</p>
      <Button ref={button} size="lg" loading={pending} onClick={onOpen}>
        {i18n.t('Open it for followers')}
      </Button>
    </div>
  )
}

function OpenDoor({ door: { role, code, link } }: { door: Door }) {
  if (link === null) return null
  // The link is for cameras. People who type need the short code.
  const typed = code === null ? link : link.replace(/[^/]+$/, code)
  return (
    <section aria-label={i18n.t(titles[role])} className={`${classes.door} stack center`}>
      <h3>{i18n.t(titles[role])}</h3>
      <div className={classes.qr}>
        <QrCode text={link} label={i18n.t('QR code: {link}', { link: typed })} />
      </div>
      {code === null ? (
        <p>{i18n.t('Scan it: there is no code to type now.')}</p>
      ) : (
        <>
          <p className="strong break-anywhere">{typed.replace(/^https?:\/\//, '')}</p>
          <p>
            <Trans id="Code <0>{code}</0>" values={{ code }} components={{ 0: <strong className="mono" /> }} />
          </p>
        </>
      )}
    </section>
  )
}
