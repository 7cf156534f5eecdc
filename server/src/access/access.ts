/**
 * Decides who may use this server. The server runs privileged commands, and any web page can send requests to it from
 * a browser on this machine. So Host (against DNS rebinding), Origin (against cross-site requests and WebSocket
 * hijacking) and token are checked first.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { LabError } from '@expresslane/shared/base/errors'
import type { Addresses } from './addresses.ts'
import type { Key, Principal } from './principal.ts'
import { loginOf, newId } from './secrets.ts'
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
  /** A cookie's value for a new login with a token; null for an unknown token. */
  cookieFor(token: string): string | null
  /** The id of the login that a request comes with; null for a token of the configuration, which no log-out ends. */
  loginOf(knock: Pick<Knock, 'headers' | 'cookies'>): string | null
  /** The sender of a request by its cookie; null without a valid cookie. */
  loggedIn(knock: Pick<Knock, 'cookies'>): Principal | null
  /** The token or cookie of a request that belongs to nobody; null without such a key. */
  wrongKey(knock: Pick<Knock, 'headers' | 'cookies'>): string | null
  /**
   * Checks a request that needs no login. A link to this server may stand on any page; only a request that changes
   * something must come from this server's own pages.
   *
   * @throws LabError `forbidden_host`, `forbidden_origin`
   */
  checkStranger(knock: Pick<Knock, 'method' | 'headers'>): void
  /**
   * Whether a request has the token of the metrics. Host and Origin are not checked: a Prometheus in a cluster asks by
   * address, and no page can make a browser send a token that it does not know.
   */
  isMonitor(knock: Pick<Knock, 'headers'>): boolean
  /**
   * @returns who sent the request
   * @throws LabError `forbidden_host`, `forbidden_origin`, `unauthorized`, checked in this order
   */
  check(knock: Knock): Principal
}

const OPEN_LINK =
  'Open the link that Expresslane printed when it started, or that `npm run data -- link` prints. It logs this browser in.'
const OPEN_INVITATION = 'Open the link or scan the QR code that the instructor shows, or enter a code at /join.'
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

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

interface Parts {
  readonly addresses: Addresses
  /** The secrets of this server's configuration, with their principals. */
  readonly keys: readonly Key[]
  /** The principal with a key that this server gave to somebody who joined; null for an unknown key. */
  guest(key: string): Principal | null
  /** Whether a login of a principal has not ended. */
  holdsLogin(principal: Principal, login: string): boolean
  /** The token of the metrics; null if there is none. */
  readonly metricsToken?: string | null
  /** The port that the server listens on. */
  port(): number
  /** Whether this server serves a room. */
  readonly workshop: boolean
}

export function createAccess({
  addresses,
  keys,
  guest,
  holdsLogin,
  metricsToken = null,
  port,
  workshop,
}: Parts): Access {
  const cookieName = (): string => `expresslane_${port()}`

  function checkHost(headers: IncomingHttpHeaders): void {
    if (addresses.hasHost(headers)) return
    throw new LabError(
      'forbidden_host',
      'This server does not accept this host name.',
      'Use the address that Expresslane printed. To allow another host name, add its origin to EXPRESSLANE_ORIGINS.',
      { detail: `Host: ${headers.host ?? ''}` },
    )
  }

  function checkOrigin({ headers }: Pick<Knock, 'headers'>): void {
    const { origin } = headers
    if (origin !== undefined && !addresses.hasOrigin(origin)) {
      throw badOrigin('Pages from other sites can’t use this server.', `Origin: ${origin}`)
    }
    const site = headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none') {
      throw badOrigin('Pages from other sites can’t use this server.', `Sec-Fetch-Site: ${site}`)
    }
  }

  function withBearer(headers: IncomingHttpHeaders): Principal | null {
    const bearer = bearerOf(headers)
    if (bearer === null) return null
    return keys.find(({ token }) => sameSecret(bearer, token))?.principal ?? guest(bearer)
  }

  function withCookie(cookies: Knock['cookies']): Principal | null {
    const given = cookies[cookieName()]
    if (given === undefined) return null
    const login = loginOf(given)
    if (login === null) return null
    const owner = keys.find(({ token }) => sameSecret(given, cookieValue(token, login)))?.principal
    if (owner === undefined) return guest(given)
    return holdsLogin(owner, login) ? owner : null
  }

  function checkToken({ method, headers, cookies, upgrade }: Knock): Principal {
    const bearer = withBearer(headers)
    if (bearer !== null) return bearer
    const found = withCookie(cookies)
    if (found === null) {
      throw new LabError(
        'unauthorized',
        'This browser is not logged in to Expresslane.',
        workshop ? OPEN_INVITATION : OPEN_LINK,
      )
    }
    // Browsers send Origin with all of these requests, so a request with the cookie but without Origin is not from a
    // page.
    if (headers.origin === undefined && (upgrade || !SAFE_METHODS.has(method))) {
      throw badOrigin('A request with the page’s cookie needs an Origin header.', 'no Origin header')
    }
    return found
  }

  return {
    cookieName,
    cookieFor: (given) => (keys.some(({ token }) => sameSecret(given, token)) ? cookieValue(given, newId()) : null),
    loginOf({ headers, cookies }) {
      const bearer = bearerOf(headers)
      if (bearer === null || withBearer(headers) === null) return loginOf(cookies[cookieName()] ?? '')
      return keys.some(({ token }) => sameSecret(bearer, token)) ? null : loginOf(bearer)
    },
    loggedIn: ({ cookies }) => withCookie(cookies),
    wrongKey({ headers, cookies }) {
      if (withBearer(headers) !== null || withCookie(cookies) !== null) return null
      return bearerOf(headers) ?? cookies[cookieName()] ?? null
    },
    checkStranger(knock) {
      checkHost(knock.headers)
      if (!SAFE_METHODS.has(knock.method)) checkOrigin(knock)
    },
    isMonitor({ headers }) {
      const bearer = bearerOf(headers)
      return bearer !== null && metricsToken !== null && sameSecret(bearer, metricsToken)
    },
    check(knock) {
      checkHost(knock.headers)
      checkOrigin(knock)
      return checkToken(knock)
    },
  }
}
