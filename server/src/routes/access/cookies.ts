/** Sets and clears the cookies that keep a browser logged in. */
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Access } from '../../access/access.ts'
import type { Addresses } from '../../access/addresses.ts'
import type { WrongKeys } from '../../access/wrong-keys.ts'

/** The parts of the server that the login routes use. */
export interface Front {
  readonly access: Access
  readonly addresses: Addresses
  readonly wrongKeys: WrongKeys
  /** True if pages of learning platforms show this server's page inside them. */
  readonly embedded: boolean
}

/**
 * Scripts do not get it, and over https it never travels without. Other sites do not get it either, but for a page that
 * shows this server's page inside it: there each site has a cookie of its own (CHIPS), and the gate checks Origin.
 */
export function cookieOptions(
  { addresses, embedded }: Front,
  { headers, protocol }: FastifyRequest,
): CookieSerializeOptions {
  // A proxy on this machine may have replaced Host, and say in X-Forwarded-Proto what the browser used.
  const secure = addresses.isSecure(headers) || protocol === 'https'
  if (embedded && secure) return { path: '/', httpOnly: true, sameSite: 'none', partitioned: true, secure }
  return { path: '/', httpOnly: true, sameSite: 'strict', secure }
}

/** @param value the login key, or a value that is derived from the token */
export function logInWith(
  front: Front,
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  days: number,
): FastifyReply {
  return reply
    .setCookie(front.access.cookieName(), value, { ...cookieOptions(front, request), maxAge: days * 24 * 60 * 60 })
    .header('cache-control', 'no-store')
}

/** The cookie with the code of a followed link, until its reader has typed a name. */
export function codeCookie({ access }: Front): string {
  return `${access.cookieName()}_code`
}

export function logOutOf(front: Front, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .clearCookie(front.access.cookieName(), cookieOptions(front, request))
    .clearCookie(codeCookie(front), { path: '/api/join' })
    .header('cache-control', 'no-store')
}
