/** The secret that opens this server, and what is derived from it. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LabError } from '@expresslane/shared/wire/errors'

function readToken(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return /^[\x21-\x7e]{8,200}$/.test(text) ? text : null
  } catch {
    return null
  }
}

/**
 * The token that the data directory keeps, made when there is none: a restarted server keeps the page
 * logged in.
 *
 * @throws LabError `data_unwritable`
 */
export function keptToken(dataDir: string): string {
  const file = join(dataDir, 'token')
  const kept = readToken(file)
  if (kept !== null) return kept
  const token = randomBytes(24).toString('base64url')
  try {
    writeFileSync(file, `${token}\n`, { mode: 0o600 })
    // One that was there already, and held no token, keeps its mode otherwise.
    chmodSync(file, 0o600)
  } catch (error) {
    throw new LabError(
      'data_unwritable',
      `Expresslane can't write its token to ${file}.`,
      'Make the directory writable for you, or name another one with EXPRESSLANE_DATA.',
      { cause: error, detail: error instanceof Error ? error.message : String(error) },
    )
  }
  return token
}

/** Compares two secrets in a time that tells nothing of where they differ. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** What the page's cookie holds: proof of the token, from which the token can't be had. */
export function cookieValue(token: string): string {
  return createHmac('sha256', token).update('expresslane page').digest('base64url')
}
