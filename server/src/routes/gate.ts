/** Checks {@link Access} and the policy before every route that is not marked as open. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../access/access.ts'
import { mayCall } from '../access/policy.ts'
import type { Principal } from '../access/principal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers without a token: health, the login link, the page's own files. */
    open?: boolean
  }
  interface FastifyRequest {
    /** Null on a route that is open. */
    principal: Principal | null
  }
}

/** Decides by the matched route, because the same URL can be written in many ways. */
function isClosed(request: FastifyRequest): boolean {
  return request.ws || request.url.startsWith('/api') || request.routeOptions.config.open !== true
}

/** The principal of a request, on a route that is not open. */
export function principalOf({ principal, url }: FastifyRequest): Principal {
  if (principal === null) throw new Error(`no principal for ${url}`)
  return principal
}

export function guard(app: FastifyInstance, access: Access): void {
  app.decorateRequest('principal', null)
  app.addHook('onRequest', async (request) => {
    if (!isClosed(request)) return
    const { method, headers, cookies, ws } = request
    const principal = access.check({ method, headers, cookies, upgrade: ws })
    request.principal = principal
    if (mayCall(principal, method, request.routeOptions.url ?? '')) return
    throw new LabError(
      'not_allowed',
      'Only the owner of this server can do this.',
      'Ask the person who started Expresslane.',
    )
  })
}
