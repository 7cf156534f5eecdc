import { i18n } from '@expresslane/shared/base/language'
import type { GuestRole } from '@expresslane/shared/wire/room'
import { CopyButton } from '../../components/prose/copy-button.tsx'
import { QrCode } from '../../components/qr/qr-code.tsx'
import classes from './entry.module.css'

/** The people of a role, within a sentence. */
export function guestNames(role: GuestRole): string {
  return role === 'participant' ? i18n.t('participants') : i18n.t('followers')
}

interface LinkViewProps {
  link: string
  /** The target of the link: `the door for participants`. */
  what: string
  /** A short code to type by hand; null for a link alone. */
  code?: string | null
}

/** A link as a QR code, as text to copy, and as a short code to type. */
export function LinkView({ link, what, code = null }: LinkViewProps) {
  return (
    <div className={`${classes.link} row wide`}>
      <div className={`${classes.qr} fixed`}>
        <QrCode text={link} label={i18n.t('QR code: {what}', { what })} />
      </div>
      {code !== null && (
        <p>
          <span className="muted">{i18n.t('Code')}</span>{' '}
          <strong className={`${classes.code} block mono no-wrap`}>{code}</strong>
        </p>
      )}
      <p className={`${classes.address} row tight one-line mono break-anywhere`}>
        <span>{link}</span>
        <CopyButton text={link} what={i18n.t('the link: {what}', { what })} />
      </p>
    </div>
  )
}
