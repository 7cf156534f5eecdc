/** Verifies a record without a server and without a network: `npm run data -- verify FILE`. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { LabError } from '@expresslane/shared/base/errors'
import { decodeProtectedHeader, errors, importJWK, jwtVerify } from 'jose'
import { ALGORITHM, credential, keyIdOf, keyOf, MEDIA_TYPE, type CompletedLab, type Credential } from './credential.ts'

/** Larger than a record of all labs with all comparisons that a plan can have. */
const MOST_BYTES = 4 * 1024 * 1024
/** Clocks of two machines differ. */
const CLOCKS_DIFFER_MS = 5 * 60_000
/** Characters that a terminal acts upon, or that hide or turn text around. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

function refused(message: string, cause: unknown = null): LabError {
  return new LabError('bad_request', message, 'Do not rely on it. Ask its owner for the file as the server sent it.', {
    cause,
    ...(cause instanceof Error && { detail: cause.message.replaceAll(UNSEEN, '�').slice(0, 300) }),
  })
}

async function readBounded(path: string): Promise<string> {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for its other end.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await file.stat()
    if (!stats.isFile()) throw new Error('it is not a file')
    if (stats.size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES / 1024 / 1024} MB, and no record has`)
    return await file.readFile('utf8')
  } catch (error) {
    throw new LabError('bad_request', `Expresslane can't read ${path}.`, 'Name the file of a signed record.', {
      cause: error,
      ...(error instanceof Error && { detail: error.message }),
    })
  }
}

/** The issuer that the header names. Its key is known from its name alone. */
function issuerOf(jwt: string): string {
  const [, , signature = ''] = jwt.split('.')
  // Two texts can stand for the same bytes: the last character has bits that none reads (RFC 4648, 3.5).
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature)
    throw refused('This file is not a signed record, or it was changed.')
  const { kid = '' } = decodeProtectedHeader(jwt)
  const issuer = kid.split('#', 1)[0] ?? ''
  if (keyOf(issuer) !== null && keyIdOf(issuer) === kid) return issuer
  throw refused('This record does not name an Ed25519 key (did:key:z6Mk...) as its signer.')
}

function reasonOf(error: unknown): LabError {
  if (error instanceof LabError) return error
  if (error instanceof errors.JWTExpired) return refused('This record has expired.', error)
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return refused('The signature does not match: the record was changed, or another key signed it.')
  if (error instanceof errors.JOSEAlgNotAllowed)
    return refused(`This record is signed with another algorithm than Ed25519 (${ALGORITHM}).`, error)
  return refused('This file is not a signed record of Expresslane.', error)
}

/**
 * @param now in milliseconds since the epoch
 * @throws LabError `bad_request` for a record that is changed, expired, of the future, or not a record
 */
export async function verifyRecord(jwt: string, now: number): Promise<Credential> {
  try {
    const issuer = issuerOf(jwt)
    const key = await importJWK({ ...keyOf(issuer), kty: 'OKP' }, ALGORITHM)
    const { payload } = await jwtVerify(jwt, key, {
      algorithms: [ALGORITHM],
      typ: MEDIA_TYPE,
      currentDate: new Date(now),
    })
    const record = credential.parse(payload)
    if (record.issuer !== issuer) throw refused('The record names another issuer than the key that signed it.')
    if (Date.parse(record.validFrom) > now + CLOCKS_DIFFER_MS)
      throw refused(`The record's date is in the future: ${record.validFrom}. Check this machine's clock, too.`)
    return record
  } catch (error) {
    throw reasonOf(error)
  }
}

function linesOf({ lab, title, digest, testbed, completedAt, comparisons }: CompletedLab): string[] {
  const figure = (ratio: number): string => ratio.toPrecision(4)
  return [
    '',
    `${title} (${lab}, digest ${digest})`,
    `  completed ${completedAt} on ${testbed}`,
    ...comparisons.map(({ case: of, baseline, arm, metric, verdict, ratio, interval }) => {
      const within = interval === null ? 'no interval' : `${figure(interval.low)} to ${figure(interval.high)}`
      return `  ${of === null ? '' : `${of}, `}${baseline} → ${arm}: ${metric} × ${figure(ratio)} (${within}), ${verdict}`
    }),
  ]
}

/**
 * Verifies a file, and describes it for people.
 *
 * @param issuer the `did:key` that must have signed it; null for any
 * @throws LabError `bad_request`
 */
export async function verifyFile(path: string, issuer: string | null, now: number): Promise<string[]> {
  const record = await verifyRecord((await readBounded(path)).trim(), now)
  if (issuer !== null && record.issuer !== issuer)
    throw refused(`Another key signed this record: ${record.issuer}, and not ${issuer}.`)
  const { name, completed } = record.credentialSubject
  const lines = [
    'The signature is right: nobody changed this record after it was signed.',
    `Signed by  ${record.issuer}`,
    `Signed at  ${record.validFrom}`,
    `Name       ${name}`,
    ...completed.flatMap(linesOf),
    '',
    ...(issuer === null
      ? [
          'Anyone can make a key and sign any text with it, so the signature alone does not prove who issued the record.',
          'Ask the issuer for their key, and require it: npm run data -- verify FILE --issuer did:key:...',
        ]
      : ['The key is the required one. The name is as the person joined: the server does not check it.']),
  ]
  return lines.map((line) => line.replaceAll(UNSEEN, '�'))
}
