/** The link that logs the owner in. It holds the token, so a log has the command that prints it instead. */
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { readKeptToken, sameSecret, tokenFile } from '../access/token.ts'
import type { Config } from '../config.ts'
import { readPrivate, writePrivate } from '../store/file/private.ts'

/** Where the server is: kept in the data directory for a command that runs beside it. */
const place = z.object({
  /** The one to open on this machine first. */
  origins: z.array(z.string()).min(1),
  /** Identifies the token without revealing it. */
  mark: z.string(),
})
type Place = z.infer<typeof place>

const fileOf = (dataDir: string): string => join(dataDir, 'server.json')

function markOf(token: string): string {
  return createHmac('sha256', token).update('expresslane link').digest('base64url')
}

export function linkTo(origin: string, token: string): string {
  return `${origin}/open?token=${encodeURIComponent(token)}`
}

/** Where the owner finds a token: the file that keeps it, or the variable that set it. */
export function tokenPlace({ dataDir }: Pick<Config, 'dataDir'>, token: string): string {
  return readKeptToken(dataDir) === token ? tokenFile(dataDir) : 'EXPRESSLANE_TOKEN'
}

/** Keeps where a server is, for {@link readLinks}. */
export function notePlace(dataDir: string, origins: readonly string[], token: string): void {
  const now: Place = { origins: [...origins], mark: markOf(token) }
  writePrivate(fileOf(dataDir), `${JSON.stringify(now)}\n`)
}

function readPlace(dataDir: string): Place {
  const text = readPrivate(fileOf(dataDir))
  if (text !== null) return place.parse(JSON.parse(text))
  throw new LabError(
    'not_found',
    `No server has started with the data in ${dataDir} yet.`,
    'Start it, or set EXPRESSLANE_DATA to the directory of the server that runs.',
  )
}

/**
 * The links of the server that was last started with a data directory, the one to open on this machine first.
 *
 * @throws LabError `not_found`, `unauthorized`, `data_exposed`
 */
export function readLinks({ dataDir, token }: Pick<Config, 'dataDir' | 'token'>): string[] {
  const { origins, mark } = readPlace(dataDir)
  const found = [token, readKeptToken(dataDir)].find((one) => one !== null && sameSecret(markOf(one), mark))
  if (found !== undefined && found !== null) return origins.map((origin) => linkTo(origin, found))
  throw new LabError(
    'unauthorized',
    'The server was started with another token than this command knows.',
    'Set EXPRESSLANE_TOKEN as it is set for the server.',
  )
}
