/** `GET /open?token=...`: the printed link. It logs a browser in. */
import { LabError } from '@expresslane/shared/base/errors'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { clientNetwork } from '../../access/clients.ts'
import { logInWith, type Front } from './cookies.ts'

const COOKIE_DAYS = 30

/**
 * The path to redirect to, always on this server. It is resolved as a browser resolves it, and must then start
 * with exactly one slash, since `//host` and `/\host` are other servers.
 */
function pathOnThisServer(to: string | undefined): string {
  const here = 'http://expresslane.invalid'
  if (to === undefined || !URL.canParse(to, here)) return '/'
  const { origin, pathname, search, hash } = new URL(to, here)
  const path = `${pathname}${search}${hash}`
  return origin === here && to.startsWith('/') && /^\/(?![/\\])/.test(path) ? path : '/'
}

export function openRoute(front: Front): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/open',
      {
        // The address holds the token, and each request is logged with its address at `info`.
        logLevel: 'warn',
        schema: {
          hide: true,
          querystring: z.object({ token: z.string().max(200).default(''), to: z.string().max(500).optional() }),
        },
      },
      async (request, reply) => {
        const { token, to } = request.query
        const cookie = front.access.cookieFor(token)
        if (cookie === null) {
          if (token !== '') await front.wrongKeys.late(clientNetwork(request.ip), token)
          throw new LabError(
            'unauthorized',
            'The token in this link is not valid for this server.',
            'Use the link that Expresslane printed when it last started, or that `npm run data -- link` prints.',
          )
        }
        return logInWith(front, request, reply, cookie, COOKIE_DAYS).redirect(pathOnThisServer(to), 303)
      },
    )
  }
}
