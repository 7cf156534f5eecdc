/** Checks {@link Access} and the policy before every route. The server does not start with a route without a policy. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Role } from '@expresslane/shared/wire/room'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { People } from '../../access/people.ts'
import type { Access } from '../../access/access.ts'
import { clientNetwork } from '../../access/clients.ts'
import { callersOf, monitored } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import type { WrongKeys } from '../../access/wrong-keys.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers only with a refusal: the other methods of an address. */
    refuses?: boolean
  }
  interface FastifyRequest {
    /** The caller; null for a stranger, on a route that strangers may call. */
    caller: Principal | null
    /** The same caller, on a route that strangers may not call. */
    readonly principal: Principal
    /** The id of the caller's login; null for a token of the configuration. */
    login: string | null
  }
}

/** Matches every address, also those under /api that do not exist. */
const PAGE_FILES = '/*'

function notAllowed({ role }: Principal, callers: readonly Role[]): LabError {
  const forInstructor = callers.length === 1 && callers[0] === 'instructor'
  return new LabError(
    'not_allowed',
    forInstructor ? 'Only the instructor can do this.' : `A ${role} can’t do this.`,
    role === 'viewer'
      ? 'You follow the presenter here. Ask for a link to join with your own testbed.'
      : 'Ask the instructor.',
  )
}

/** Decides by the matched route, because the same URL can be written in many ways. */
function admit(request: FastifyRequest, access: Access): void {
  const { method, headers, cookies, ws, url } = request
  const route = request.routeOptions.url
  const callers = route === undefined ? null : callersOf(method, route)
  const isApi = ws || (route === PAGE_FILES && url.startsWith('/api'))
  if (callers === 'open' && !isApi) return
  if (callers === 'strangers' && !ws) {
    access.checkStranger({ method, headers })
    return
  }
  if (route !== undefined && !ws && monitored.has(route) && access.isMonitor({ headers })) return
  const principal = access.check({ method, headers, cookies, upgrade: ws })
  request.caller = principal
  request.login = access.loginOf(request)
  if (Array.isArray(callers) && !callers.includes(principal.role)) throw notAllowed(principal, callers)
}

/** Call it before the first route is registered. */
export function guard(app: FastifyInstance, access: Access, wrongKeys: WrongKeys): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.refuses === true) return
    for (const one of [method].flat()) {
      if (callersOf(one, url) === null) {
        throw new Error(`${one} ${url} has no line in access/policy.ts, which says who may call it`)
      }
    }
  })
  app.decorateRequest('caller', null)
  app.decorateRequest('principal', {
    getter() {
      if (this.caller === null) throw new Error(`no principal for ${this.routeOptions.url}`)
      return this.caller
    },
  })
  app.decorateRequest('login', null)
  app.addHook('onRequest', async (request) => {
    try {
      admit(request, access)
    } catch (error) {
      const isStranger = error instanceof LabError && error.code === 'unauthorized'
      const wrong = isStranger ? access.wrongKey(request) : null
      if (wrong !== null) await wrongKeys.late(clientNetwork(request.ip), wrong)
      throw error
    }
  })
}

/**
 * Somebody whose access was taken back while their request waited for its turn. Call it after all that waits.
 */
export function refuseRemoved(app: FastifyInstance, people: Pick<People, 'holds'>): void {
  app.addHook('preHandler', async ({ caller }) => {
    if (caller === null || people.holds(caller)) return
    throw new LabError('unauthorized', 'Your access was taken back.', 'Ask the instructor for a new invitation.')
  })
}
