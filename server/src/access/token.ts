/** The server's secret token, and the values derived from it. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import { readPrivate, writePrivate } from '../store/file/private.ts'

/** The file that keeps the token of a server for which none is set. */
export function tokenFile(dataDir: string): string {
  return join(dataDir, 'token')
}

/** The token that the data directory keeps; null for none. @throws LabError `data_exposed` */
export function readKeptToken(dataDir: string): string | null {
  const text = readPrivate(tokenFile(dataDir))?.trim() ?? ''
  return /^[\x21-\x7e]{8,200}$/.test(text) ? text : null
}

/**
 * Reads the token from the data directory, or creates one. Since it is kept, a page stays logged in when the server
 * restarts.
 *
 * @throws LabError `data_exposed`, `data_unwritable`
 */
export function keptToken(dataDir: string): string {
  const file = tokenFile(dataDir)
  try {
    const kept = readKeptToken(dataDir)
    if (kept !== null) return kept
    const token = randomBytes(24).toString('base64url')
    writePrivate(file, `${token}\n`)
    return token
  } catch (error) {
    if (error instanceof LabError) throw error
    throw new LabError(
      'data_unwritable',
      `Expresslane can't write its token to ${file}.`,
      'Make the directory writable, or set EXPRESSLANE_DATA to another directory.',
      { cause: error, detail: error instanceof Error ? error.message : String(error) },
    )
  }
}

/** The least length and variety of a token that other machines can try to guess. */
const STRONG_LENGTH = 16
const STRONG_VARIETY = 8

/** @throws LabError `config_invalid` */
export function requireStrong(token: string): void {
  if (token.length >= STRONG_LENGTH && new Set(token).size >= STRONG_VARIETY) return
  throw new LabError(
    'config_invalid',
    `Other machines reach this server, and its token is too weak: it needs ${STRONG_LENGTH} characters or more, ${STRONG_VARIETY} of them different.`,
    'Unset EXPRESSLANE_TOKEN to let Expresslane create a token, or set a long random one.',
    { remedyCommand: 'export EXPRESSLANE_TOKEN=$(openssl rand -hex 24)' },
  )
}

/** Compares two secrets in constant time. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** The value of the page's cookie for a token's owner: the id of the login, and a digest of both. Not reversible. */
export function cookieValue(token: string, login: string): string {
  return `${login}${createHmac('sha256', token).update(`expresslane page ${login}`).digest('base64url')}`
}
