/** Builds the server, listens, and stops its parts in order. */
import { LabError } from '@expresslane/shared/base/errors'
import { bracketed } from './access/addresses.ts'
import type { Announced } from './announce.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { linkTo, notePlace, tokenPlace } from './data/link.ts'
import { openDeps, type Deps, type Outside } from './deps.ts'
import { readLabs } from './read-labs.ts'
import { systemClock } from './runs/clock.ts'
import { named } from './stopping.ts'

/** How long the links are valid that the terminal shows. */
const INVITATION_HOURS = 12

export interface Serving extends Announced {
  readonly deps: Deps
  readonly port: number
  readonly token: string
  /**
   * Ends runs and records their ends, which the page still receives. Then closes all connections. Takes at most 5
   * seconds: {@link Deps.left} has the parts that did not end by then.
   */
  stop(): Promise<void>
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}

/**
 * Listens on `::` as on all addresses of both families; where the kernel has no IPv6, on all addresses of IPv4.
 *
 * @param listen listens on a host and settles when that is done
 */
export async function listenOn(host: string, listen: (host: string) => Promise<unknown>): Promise<void> {
  try {
    await listen(host)
  } catch (error) {
    if (host !== '::' || (codeOf(error) !== 'EAFNOSUPPORT' && codeOf(error) !== 'EADDRNOTAVAIL')) throw error
    await listen('0.0.0.0')
  }
}

function listenError(error: unknown, { host: bound, port }: Config): unknown {
  const code = codeOf(error)
  const host = bracketed(bound)
  if (code === 'EADDRINUSE') {
    return new LabError(
      'config_invalid',
      `Another program already listens on ${host}:${port}, perhaps another Expresslane.`,
      'Stop it, or choose another port.',
      { remedyCommand: `PORT=${port + 1} npm start`, cause: error },
    )
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new LabError(
      'config_invalid',
      `Expresslane can't listen on ${host}:${port}.`,
      'Choose another HOST or PORT.',
      { detail: error instanceof Error ? error.message : String(error), cause: error },
    )
  }
  return error
}

/** A full disk does not keep the server from starting. */
function noteWhere(
  { config, logger }: Pick<Deps, 'config' | 'logger'>,
  origins: readonly string[],
  token: string,
): void {
  try {
    notePlace(config.dataDir, origins, token)
  } catch (error) {
    logger.warn({ err: error }, `${config.linkCommand} will not find this server`)
  }
}

/** @throws LabError `config_invalid`, `data_unwritable`, `data_in_use` */
export async function serve(config: Config, outside: Outside = {}): Promise<Serving> {
  const labs = outside.labs === undefined ? await readLabs(config.labs, outside.clock ?? systemClock) : undefined
  const deps = openDeps(config, outside, labs === undefined ? {} : { labs })
  try {
    const { server, token, addresses, certificate, entrance, issuer, lti } = await buildApp(deps)
    await listenOn(config.host, (host) => server.listen({ host, port: config.port }))
    const address = server.server.address()
    noteWhere(deps, [addresses.here(), ...config.origins], token)
    const port = address === null || typeof address === 'string' ? config.port : address.port
    return {
      deps,
      port,
      token,
      link: linkTo(addresses.here(), token),
      origin: addresses.here(),
      linkCommand: config.linkCommand,
      tokenPlace: tokenPlace(config, token),
      workshop: config.workshop,
      room: addresses.room(),
      certificate,
      issuer,
      lti,
      invite: (role) => entrance.invite(role, INVITATION_HOURS).link,
      stop: () => deps.close(named('open connections', () => server.close())),
    }
  } catch (error) {
    await deps.close()
    throw listenError(error, config)
  }
}
