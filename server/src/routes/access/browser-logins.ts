/** The login and the code that a browser keeps, and how they change when somebody joins with it. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientNetwork } from '../../access/clients.ts'
import type { Admission } from '../../access/entrance.ts'
import type { Joining } from '../../access/joining/capacity.ts'
import { looksLike } from '../../access/joining/look-alikes.ts'
import type { Principal } from '../../access/principal.ts'
import type { Deps } from '../../deps.ts'
import { codeCookie, cookieOptions, logInWith, type Front } from './cookies.ts'

/** How long somebody who followed a link has to type their name. */
const CODE_MINUTES = 30
/** The cookie's age: the longest invitation and a day. The server decides whether a login is still valid. */
const LOGIN_DAYS = 4

export interface BrowserLogins {
  /** Lets somebody in whom a code admits, or a learning platform. @param from how they come; by default from an address */
  enter(
    request: FastifyRequest,
    reply: FastifyReply,
    admission: Admission,
    name: string,
    from?: Pick<Joining, 'network' | 'again'>,
  ): Principal | null
  /**
   * The principal whose login the browser keeps; null if it joins anew. A code never takes rights away.
   *
   * @param name of the person who joins; another one is somebody else
   */
  keeps(request: FastifyRequest, admission: Admission, name?: string): Principal | null
  rememberCode(request: FastifyRequest, reply: FastifyReply, code: string): void
}

export function browserLogins(people: Deps['people'], front: Front): BrowserLogins {
  const { access } = front

  /** The login that this browser had ends: the next person on a computer is not the one before. */
  function endLoginBefore({ cookies }: FastifyRequest): void {
    const before = access.loggedIn({ cookies })
    const login = access.loginOf({ headers: {}, cookies })
    if (before !== null && login !== null) people.logOut(before, login)
  }

  return {
    enter(request, reply, admission, name, from = { network: clientNetwork(request.ip) }) {
      if (admission.kind === 'again') {
        const key = people.logIn(admission.principal)
        endLoginBefore(request)
        logInWith(front, request, reply, key, LOGIN_DAYS)
        return people.withKey(key)
      }
      const instead = access.loggedIn(request)?.id
      const { principal, key } = people.join({ ...admission, name, instead, ...from })
      endLoginBefore(request)
      logInWith(front, request, reply, key, LOGIN_DAYS)
      return principal
    },
    keeps(request: FastifyRequest, admission: Admission, name?: string): Principal | null {
      const present = access.loggedIn(request)
      if (present === null || present.role === 'instructor' || admission.kind === 'again') {
        return present?.role === 'instructor' ? present : null
      }
      if (admission.role === 'viewer') return present
      return present.role === 'participant' && (name === undefined || looksLike(name, present.name)) ? present : null
    },
    rememberCode(request: FastifyRequest, reply: FastifyReply, code: string): void {
      reply.setCookie(codeCookie(front), code, {
        ...cookieOptions(front, request),
        path: '/api/join',
        maxAge: CODE_MINUTES * 60,
      })
    },
  }
}
