/**
 * Decides who may use this server. The server runs privileged commands, and any web page can send requests to it from
 * a browser on this machine. So Host (against DNS rebinding), Origin (against cross-site requests and WebSocket
 * hijacking) and token are checked first.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { LabError } from '@expresslane/shared/wire/errors'
import { isLoopback, type Config } from '../config.ts'
import type { Key, Principal } from './principal.ts'
import { cookieValue, sameSecret } from './token.ts'

/** The parts of a request that decide access. */
export interface Knock {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly cookies: Readonly<Record<string, string | undefined>>
  /** Whether the request upgrades to a WebSocket. */
  readonly upgrade: boolean
}

export interface Access {
  /** Contains the port, because browsers send a host's cookies to all of its ports. */
  cookieName(): string
  /** The cookie's value for a token; null for an unknown token. */
  cookieFor(token: string): string | null
  /**
   * Checks a request that needs no login. A link to this server may stand on any page; only what changes something
   * must come from this server's own.
   *
   * @throws LabError `forbidden_host`, `forbidden_origin`
   */
  checkStranger(knock: Pick<Knock, 'method' | 'headers'>): void
  /**
   * @returns who sent the request
   * @throws LabError `forbidden_host`, `forbidden_origin`, `unauthorized`, checked in this order
   */
  check(knock: Knock): Principal
}

const OPEN_LINK = 'Open the link that Expresslane printed when it started. The link logs this browser in.'
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const WILDCARDS = new Set(['0.0.0.0', '::', '[::]'])

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/** The host to type on this machine for a server that is bound to `host`. */
export function typedHost(host: string): string {
  return WILDCARDS.has(host) || (isLoopback(host) && host !== '::1') ? '127.0.0.1' : bracketed(host)
}

function ownHosts(config: Config, port: number): Set<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]']
  if (!WILDCARDS.has(config.host)) names.push(bracketed(config.host))
  const hosts = names.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]))
  return new Set([...hosts, ...config.origins.map((origin) => new URL(origin).host)].map((host) => host.toLowerCase()))
}

function ownOrigins(config: Config, port: number): Set<string> {
  const local = [...ownHosts({ ...config, origins: [] }, port)].map((host) => new URL(`http://${host}`).origin)
  return new Set([...local, ...config.origins])
}

function bearerOf(headers: IncomingHttpHeaders): string | null {
  return /^Bearer ([\x21-\x7e]+)$/i.exec(headers.authorization ?? '')?.[1] ?? null
}

function badOrigin(message: string, detail: string): LabError {
  return new LabError(
    'forbidden_origin',
    message,
    'Use the page that this server serves. Behind a proxy, add its address to EXPRESSLANE_ORIGINS.',
    { detail },
  )
}

/**
 * @param keys the accepted secrets, with their principals
 * @param port returns the port that the server listens on
 */
export function createAccess(config: Config, keys: readonly Key[], port: () => number): Access {
  const entries = keys.map((key) => ({ ...key, cookie: cookieValue(key.token) }))
  const cookieName = (): string => `expresslane_${port()}`

  function checkHost(headers: IncomingHttpHeaders): void {
    const host = headers.host ?? ''
    if (ownHosts(config, port()).has(host.toLowerCase())) return
    throw new LabError(
      'forbidden_host',
      'This server does not accept this host name.',
      'Use the address that Expresslane printed. To allow another host name, add its origin to EXPRESSLANE_ORIGINS.',
      { detail: `Host: ${host}` },
    )
  }

  function checkOrigin({ headers }: Pick<Knock, 'headers'>): void {
    const { origin } = headers
    if (origin !== undefined && !ownOrigins(config, port()).has(origin)) {
      throw badOrigin('Pages from other sites can’t use this server.', `Origin: ${origin}`)
    }
    const site = headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw badOrigin('Pages from other sites can’t use this server.', `Sec-Fetch-Site: ${site}`)
    }
  }

  function checkToken({ method, headers, cookies, upgrade }: Knock): Principal {
    const bearer = bearerOf(headers)
    const bearers = bearer === null ? undefined : entries.find(({ token }) => sameSecret(bearer, token))
    if (bearers !== undefined) return bearers.principal
    const given = cookies[cookieName()]
    const found = given === undefined ? undefined : entries.find(({ cookie }) => sameSecret(given, cookie))
    if (found === undefined) {
      throw new LabError('unauthorized', 'This browser is not logged in to Expresslane.', OPEN_LINK)
    }
    // Browsers send Origin with all of these requests, so one with the cookie but without Origin is not from a page.
    if (headers.origin === undefined && (upgrade || !SAFE_METHODS.has(method))) {
      throw badOrigin('A request with the page’s cookie needs an Origin header.', 'no Origin header')
    }
    return found.principal
  }

  return {
    cookieName,
    cookieFor: (given) => entries.find(({ token }) => sameSecret(given, token))?.cookie ?? null,
    checkStranger(knock) {
      checkHost(knock.headers)
      if (!SAFE_METHODS.has(knock.method)) checkOrigin(knock)
    },
    check(knock) {
      checkHost(knock.headers)
      checkOrigin(knock)
      return checkToken(knock)
    },
  }
}
