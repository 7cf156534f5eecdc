/** Puts {@link Access} before every route that does not say that it is open. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access } from '../security.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers without a token: health, the login link, the page's own files. */
    open?: boolean
  }
}

/** By the matched route and not by the URL alone, which can be written in many ways. */
function isClosed(request: FastifyRequest): boolean {
  return request.ws || request.url.startsWith('/api') || request.routeOptions.config.open !== true
}

export function guard(app: FastifyInstance, access: Access): void {
  app.addHook('onRequest', async (request) => {
    if (!isClosed(request)) return
    const { method, headers, cookies, ws } = request
    access.check({ method, headers, cookies, upgrade: ws })
  })
}
