/** The terminal's lines once the server is ready. */
import type { GuestRole } from '@expresslane/shared/wire/room'
import { renderUnicodeCompact } from 'uqr'
import type { Certificate } from './access/certificate.ts'

export interface Announced {
  /** The link with the token. */
  readonly link: string
  /** The origin of that link. */
  readonly origin: string
  /** The command that prints that link. */
  readonly linkCommand: string
  /** Where the token is: a file or a variable. */
  readonly tokenPlace: string
  readonly workshop: boolean
  /** The origins under which the room reaches this server, the best one first. */
  readonly room: readonly string[]
  /** Null: plain http. */
  readonly certificate: Certificate | null
  /** The `did:key` that signs records; null where none are signed. */
  readonly issuer: string | null
  /** True if learning platforms send people. */
  readonly lti: boolean
  /** Makes a link that lets people in. */
  invite(role: GuestRole): string
}

/** White on black, whatever the colours of the terminal are: cameras need the contrast. */
function qrCode(text: string): string[] {
  return renderUnicodeCompact(text, { border: 2 })
    .split('\n')
    .map((line) => `  \u001B[97;40m${line}\u001B[0m`)
}

function aboutCertificate({ certificate }: Announced): string[] {
  if (certificate === null || !certificate.selfSigned) return []
  return [
    '',
    'The certificate is self-signed. Each browser shows a warning once (“Your connection is not private”):',
    'choose Advanced, then Proceed. People can compare the SHA-256 fingerprint of the certificate:',
    `  ${certificate.fingerprint}`,
  ]
}

function aboutRecords({ issuer }: Announced): string[] {
  return issuer === null ? [] : ['', 'Records of completed labs are signed by this server’s key:', `  ${issuer}`]
}

/** The addresses to enter in a learning platform, and what is missing for a page inside its pages. */
function aboutLti({ lti, room, certificate }: Announced): string[] {
  const [origin = ''] = room
  if (!lti) return []
  const toMend = 'Use --cert and --key, or name the https address of a proxy in EXPRESSLANE_ORIGINS.'
  const plain = origin.startsWith('http:')
    ? ['Over plain http browsers keep no login in a page that is inside another page.', toMend]
    : []
  const unknown =
    certificate?.selfSigned === true
      ? ['No browser shows a page with this certificate inside another page.', toMend]
      : []
  return [
    '',
    'For the registration in a learning platform (LTI 1.3):',
    `  login     ${origin}/lti/login`,
    `  redirect  ${origin}/lti/launch`,
    `  keys      ${origin}/lti/jwks`,
    ...plain,
    ...unknown,
  ]
}

/** Notes for a room on the safety of its connection. */
function aboutConnection(announced: Announced, best: string): string[] {
  if (!best.startsWith('http:')) return aboutCertificate(announced)
  return [
    '',
    'This is plain http: anyone in the same network can read the codes and the logins of all who join.',
    'For https, add --https, which makes a certificate, or use your own with --cert and --key, or a proxy:',
    'docs/workshop.md, “https”.',
  ]
}

/** A log's lines instead of the link with the token: a reader of the log may not do everything. */
function withoutLink({ origin, linkCommand, tokenPlace }: Announced): string[] {
  return [
    `Expresslane is ready: ${origin}`,
    'The link that logs you in holds the token, and is not written to a log. This prints it:',
    `  ${linkCommand}`,
    `The token itself is in ${tokenPlace}.`,
  ]
}

function aboutRoom(announced: Announced, toPerson: boolean): string[] {
  const { room, invite } = announced
  const [best = '', ...others] = room
  const lines = ['', `Participants can reach this server at ${best}`]
  if (others.length > 0) lines.push(`or at ${others.join(', ')}`)
  if (/^https?:\/\/(127\.|localhost|\[::1\])/.test(best)) {
    lines.push('This address works on this machine only. Set HOST to an address that participants can reach.')
  }
  for (const one of aboutConnection(announced, best)) lines.push(one)
  // A code does not belong in a log either.
  if (!toPerson) return [...lines, '', 'Invite people on the Room page.']
  const follow = invite('viewer')
  return [
    ...lines,
    '',
    'To follow the presenter (read-only):',
    `  ${follow}`,
    ...qrCode(follow),
    'To join and run the labs:',
    `  ${invite('participant')}`,
    'Both links are valid for 12 hours. To create or revoke links, use the Room page.',
  ]
}

/**
 * The lines to print.
 *
 * @param toPerson whether a person reads them in a terminal; false for a log
 */
export function announce(announced: Announced, toPerson: boolean): string[] {
  const ready = toPerson ? [`Expresslane is ready: ${announced.link}`] : withoutLink(announced)
  if (!announced.workshop) return [...ready, ...aboutCertificate(announced), ...aboutRecords(announced)]
  return [
    ...ready,
    'The link is for the instructor. Anyone who has it can do everything.',
    ...aboutRoom(announced, toPerson),
    ...aboutRecords(announced),
    ...aboutLti(announced),
  ]
}
