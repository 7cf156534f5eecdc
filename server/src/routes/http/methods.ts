/** Answers 405 with `Allow` (RFC 9110, 15.5.6) when an address exists but does not support the method. */
import { LabError } from '@expresslane/shared/base/errors'
import type { FastifyInstance } from 'fastify'

function notAllowed(method: string, allowed: string): LabError {
  return new LabError(
    'method_not_allowed',
    `This address does not support ${method} requests.`,
    `Use one of these methods: ${allowed}.`,
  )
}

/** Collects every route that is registered from now on. @returns a function that adds the 405 answers; call it after the last route */
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
        config: { refuses: true },
        // Answers before the body is read, since nothing needs it.
        onRequest: async (request, reply) => {
          void reply.header('allow', allowed)
          throw notAllowed(request.method, allowed)
        },
        handler: () => null,
      })
    }
  }
}
