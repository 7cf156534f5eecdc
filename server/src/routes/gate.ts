/** Puts {@link Access} and the policy before every route that does not say that it is open. */
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

/** By the matched route and not by the URL alone, which can be written in many ways. */
function isClosed(request: FastifyRequest): boolean {
  return request.ws || request.url.startsWith('/api') || request.routeOptions.config.open !== true
}

/** Who asks, on a route that is not open. */
export function principalOf({ principal, url }: FastifyRequest): Principal {
  if (principal === null) throw new Error(`nobody was let in at ${url}`)
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
    throw new LabError('not_allowed', 'This is for the owner of this server.', 'Ask whoever started Expresslane.')
  })
}
