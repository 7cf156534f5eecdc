/** Answers 405 with `Allow` (RFC 9110, 15.5.6) where an address exists and the method does not. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { FastifyInstance } from 'fastify'

function notAllowed(method: string, allowed: string): LabError {
  return new LabError(
    'method_not_allowed',
    `This address does not take ${method} requests.`,
    `Use one of these methods: ${allowed}.`,
  )
}

/** Collects every route that is registered from now on. @returns registers the refusals, to be called after the last route */
export function collectMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = known.get(url) ?? new Set<string>()
    for (const one of [method].flat()) methods.add(one)
    known.set(url, methods)
  })
  return () => {
    for (const [url, methods] of known) {
      const others = app.supportedMethods.filter((method) => !methods.has(method))
      const allowed = [...methods].toSorted().join(', ')
      app.route({
        method: others,
        url,
        schema: { hide: true },
        // Before the body is read: whatever it is, it is not wanted.
        onRequest: async (request, reply) => {
          void reply.header('allow', allowed)
          throw notAllowed(request.method, allowed)
        },
        handler: () => null,
      })
    }
  }
}
