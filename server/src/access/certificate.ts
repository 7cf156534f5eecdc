/** The certificate for https: from files, or made by this server and kept in its data directory. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import { generate } from 'selfsigned'
import type { HttpsConfig } from '../config.ts'
import { readPrivate, writePrivate } from '../store/file/private.ts'

export interface Certificate {
  /** In PEM. */
  readonly cert: string
  readonly key: string
  /** Whether this server made it: then browsers warn. */
  readonly selfSigned: boolean
  /** SHA-256, as browsers show it. */
  readonly fingerprint: string
}

const DAY_MS = 24 * 60 * 60_000
const VALID_DAYS = 365

function invalid(message: string, error: unknown = null): LabError {
  return new LabError(
    'config_invalid',
    message,
    'Correct EXPRESSLANE_CERT and EXPRESSLANE_KEY, or unset both and start with --https: Expresslane then creates a certificate.',
    error instanceof Error ? { detail: error.message, cause: error } : {},
  )
}

function inspect(cert: string, key: string): X509Certificate {
  const read = new X509Certificate(cert)
  if (!read.checkPrivateKey(createPrivateKey(key))) throw new Error('the key does not match the certificate')
  return read
}

/** @throws LabError `config_invalid` */
function given(files: { readonly cert: string; readonly key: string }, now: number): Certificate {
  try {
    const cert = readFileSync(files.cert, 'utf8')
    const key = readFileSync(files.key, 'utf8')
    const read = inspect(cert, key)
    if (read.validToDate.getTime() <= now) throw new Error(`it expired on ${read.validTo}`)
    return { cert, key, selfSigned: false, fingerprint: read.fingerprint256 }
  } catch (error) {
    throw invalid(`Expresslane can't serve https with ${files.cert}.`, error)
  }
}

function covers(read: X509Certificate, name: string): boolean {
  return (isIP(name) === 0 ? read.checkHost(name) : read.checkIP(name)) !== undefined
}

/**
 * Null when there is none, or it does not fit any more.
 *
 * @throws LabError `data_exposed`
 */
function kept(files: readonly [string, string], names: readonly string[], now: number): Certificate | null {
  try {
    const [cert, key] = [readFileSync(files[0], 'utf8'), readPrivate(files[1]) ?? '']
    const read = inspect(cert, key)
    if (read.validToDate.getTime() <= now + DAY_MS || !names.every((name) => covers(read, name))) return null
    return { cert, key, selfSigned: true, fingerprint: read.fingerprint256 }
  } catch (error) {
    if (error instanceof LabError) throw error
    return null
  }
}

async function made(names: readonly string[], now: number): Promise<Certificate> {
  const altNames = names.map((name) =>
    isIP(name) === 0 ? { type: 2 as const, value: name } : { type: 7 as const, ip: name },
  )
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Expresslane' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // The clocks of the room's phones differ.
    notBeforeDate: new Date(now - DAY_MS),
    notAfterDate: new Date(now + VALID_DAYS * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames },
    ],
  })
  return { cert, key, selfSigned: true, fingerprint: inspect(cert, key).fingerprint256 }
}

/**
 * The certificate to serve. A certificate that this server makes is kept, so that a browser asks only once.
 *
 * @param names the host names and IP addresses under which this server is reached
 * @param now in milliseconds since the epoch
 * @throws LabError `config_invalid`, `data_exposed`, `data_unwritable`
 */
export async function certificateFor(
  https: HttpsConfig,
  dataDir: string,
  names: readonly string[],
  now: number,
): Promise<Certificate> {
  if (https !== 'self-signed') return given(https, now)
  const files = [join(dataDir, 'https.crt'), join(dataDir, 'https.key')] as const
  const before = kept(files, names, now)
  if (before !== null) return before
  const certificate = await made(names, now)
  try {
    writePrivate(files[1], certificate.key)
    writePrivate(files[0], certificate.cert)
  } catch (error) {
    throw new LabError(
      'data_unwritable',
      `Expresslane can't write its certificate to ${dataDir}.`,
      'Make the directory writable, or set EXPRESSLANE_DATA to another directory.',
      { cause: error, detail: error instanceof Error ? error.message : String(error) },
    )
  }
  return certificate
}
