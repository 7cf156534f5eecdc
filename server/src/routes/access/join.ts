/** How people get in: links to follow, links to join, codes to type, and a link for another device. */
import { createOwnLink } from '@expresslane/shared/wire/board'
import { joinRoom, joinBody, type JoinBody } from '@expresslane/shared/wire/room'
import { serve } from '../http/serve.ts'
import { LabError } from '@expresslane/shared/base/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Entrance } from '../../access/entrance.ts'
import { clientNetwork } from '../../access/clients.ts'
import type { Principal } from '../../access/principal.ts'
import type { Deps } from '../../deps.ts'
import { isFromOtherSite, openAgain } from './bounce.ts'
import { browserLogins } from './browser-logins.ts'
import { codeCookie, type Front } from './cookies.ts'
import { meOf } from './me.ts'

const VIEWER_NAME = 'Viewer'

const codeParams = z.strictObject({ code: joinBody.shape.code.unwrap() })
/** The address holds the code, and each request is logged with its address at `info`. */
const quiet = { logLevel: 'warn', exposeHeadRoute: false, schema: { hide: true, params: codeParams } } as const

function nameMissing(): LabError {
  return new LabError('bad_request', 'A participant needs a name.', 'Type the name that the instructor sees.')
}

export function joinRoutes(
  { config, people }: Pick<Deps, 'config' | 'people'>,
  front: Front,
  entrance: Entrance,
): FastifyPluginAsyncZod {
  const { enter, keeps, rememberCode } = browserLogins(people, front)

  async function follow(
    request: FastifyRequest<{ Params: z.output<typeof codeParams> }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    if (isFromOtherSite(request)) return openAgain(request, reply)
    const { code } = request.params
    const admission = await entrance.admit(code, clientNetwork(request.ip))
    void reply.header('cache-control', 'no-store')
    const kept = keeps(request, admission)
    const joins = admission.kind === 'guest' && admission.role === 'participant'
    // A participant's browser goes to the form, too: perhaps the next person sits there.
    if (kept !== null && !(joins && kept.role === 'participant')) {
      return reply.redirect(admission.kind === 'guest' && admission.role === 'viewer' ? '/follow' : '/', 303)
    }
    if (joins) {
      rememberCode(request, reply, code)
      return reply.redirect('/join', 303)
    }
    enter(request, reply, admission, VIEWER_NAME)
    return reply.redirect(admission.kind === 'again' ? '/' : '/follow', 303)
  }

  async function join(
    request: FastifyRequest,
    reply: FastifyReply,
    { code, name: typed }: JoinBody,
  ): Promise<Principal> {
    const name = typed?.normalize('NFC')
    const given = code ?? request.cookies[codeCookie(front)]
    if (given === undefined) {
      throw new LabError('code_invalid', 'No code was given.', 'Type the code, or open the link of the instructor.')
    }
    const admission = await entrance.admit(given, clientNetwork(request.ip))
    const kept = keeps(request, admission, name)
    if (kept !== null) return kept
    if (admission.kind === 'guest' && admission.role === 'participant' && name === undefined) throw nameMissing()
    const principal = enter(request, reply, admission, name ?? VIEWER_NAME)
    if (principal === null) throw new LabError('code_invalid', 'This code is no longer valid.', 'Ask the instructor.')
    reply.clearCookie(codeCookie(front), { path: '/api/join' })
    return principal
  }

  return async (app) => {
    app.get('/f/:code', quiet, follow)
    app.get('/j/:code', quiet, follow)

    serve(app, joinRoom, {
      summary: 'Join with a code; the response sets the cookie',
      description:
        'Without `code`, the code of the last opened `/j/CODE` link is used. A participant needs a name. The response to a wrong code is delayed.',
      tags: ['access'],
      security: [],
      errors: [409],
      logLevel: 'warn',
      handler: async (request, reply) => {
        const joined = await join(request, reply, request.body)
        // From here on the request is theirs: the audit log says who joined.
        request.caller = joined
        return meOf(joined, config)
      },
    })

    serve(app, createOwnLink, {
      summary: 'A link that logs you in on another device',
      description: 'The link is valid for 15 minutes. Only participants have one.',
      tags: ['access'],
      errors: [409],
      handler: async ({ principal }) => entrance.linkFor(principal.id, 'participant'),
    })
  }
}
