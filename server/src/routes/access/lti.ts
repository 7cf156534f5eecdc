/** LTI 1.3: a learning platform sends a person, who becomes a participant and sees a lab. */
import { createHash, randomBytes } from 'node:crypto'
import { LabError } from '@expresslane/shared/base/errors'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { personName } from '@expresslane/shared/wire/room'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createGrades } from '../../completion/lti/grades.ts'
import { loginRequest, type Launched, type Tool } from '../../completion/lti/tool.ts'
import type { Deps } from '../../deps.ts'
import { findOrOpenSession } from '../../runs/coordination/sessions.ts'
import { browserLogins } from './browser-logins.ts'
import { cookieOptions, type Front } from './cookies.ts'

const COOKIE_SECONDS = 10 * 60
const launchForm = z.object({ id_token: z.string(), state: z.string().max(100) })

/** The person's own name, or a made-up one; and the same with a mark, for a room where somebody has it. */
function namesOf({ issuer, subject, name }: Launched): [string, string] {
  const mark = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 6)
  const given = personName.safeParse(name?.normalize('NFC').slice(0, 40))
  return given.success
    ? [given.data, `${given.data.slice(0, 31).trim()} (${mark})`]
    : [`Learner ${mark}`, `Learner (${mark})`]
}

/** @param tool null for a server without learning platforms @param origin where browsers reach this server */
export function ltiRoutes(deps: Deps, front: Front, tool: Tool | null, origin: () => string): FastifyPluginAsync {
  const { store, people, reach, room, findLab, onError } = deps
  const { enter, keeps } = browserLogins(people, front)
  const cookie = (): string => `${front.access.cookieName()}_lti`

  function isNameTaken(error: unknown): boolean {
    return error instanceof LabError && error.code === 'name_taken'
  }

  /** The same person is the same participant each time, with their results. */
  function join(request: FastifyRequest, reply: FastifyReply, launched: Launched) {
    const admission = { kind: 'guest', role: 'participant', invitation: null, until: null } as const
    const kept = keeps(request, admission)
    if (kept?.role === 'instructor') return kept
    const from = { network: null, again: store.launches.personOf(launched) ?? undefined }
    const [name, marked] = namesOf(launched)
    try {
      return enter(request, reply, admission, name, from)
    } catch (error) {
      if (!isNameTaken(error)) throw error
      return enter(request, reply, admission, marked, from)
    }
  }

  return async (app) => {
    const grades = tool === null ? null : createGrades(deps, tool)
    app.addHook('onClose', async () => grades?.close())
    app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))))
    })

    function on(): Tool {
      if (tool !== null) return tool
      const remedy = 'To let them send people, start it with EXPRESSLANE_LTI.'
      throw new LabError('not_found', 'This server knows no learning platforms.', remedy)
    }

    async function login(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const asked = loginRequest.safeParse(request.method === 'POST' ? request.body : request.query)
      const using = on()
      if (!asked.success)
        throw new LabError('launch_invalid', 'This is no login of LTI 1.3.', 'Open the lab from the course.')
      // Several labs on one page begin at the same time.
      const browser = request.cookies[cookie()] ?? randomBytes(24).toString('base64url')
      const to = using.login(asked.data, browser, `${origin()}/lti/launch`)
      reply.setCookie(cookie(), browser, { ...cookieOptions(front, request), path: '/lti', maxAge: COOKIE_SECONDS })
      return reply.header('cache-control', 'no-store').redirect(to, 302)
    }

    app.get('/lti/jwks', { schema: { hide: true } }, async () => on().jwks)
    app.get('/lti/login', { schema: { hide: true }, logLevel: 'warn' }, login)
    app.post('/lti/login', { schema: { hide: true }, logLevel: 'warn' }, login)

    app.post('/lti/launch', { schema: { hide: true }, logLevel: 'warn' }, async (request, reply) => {
      const using = on()
      const form = launchForm.safeParse(request.body)
      if (!form.success)
        throw new LabError('launch_invalid', 'The learning platform sent no token.', 'Open the lab from the course.')
      const launched = await using.launch(form.data.id_token, form.data.state, request.cookies[cookie()] ?? '')
      const { labId, name: _name, ...at } = launched
      if (findLab(labId)?.listed !== true) {
        const remedy = 'Set the custom parameter `lab` of the link in the course to the id of a lab.'
        throw new LabError('not_found', `This server has no lab “${labId.slice(0, 80)}”.`, remedy)
      }
      const principal = join(request, reply, launched)
      if (principal === null) throw new Error('nobody joined')
      request.caller = principal
      if (principal.role === 'participant') store.launches.keep({ ...at, labId, principal: principal.id })
      grades?.note(principal.id)
      try {
        const testbed = reach.testbedToUse(principal, thisMachine)
        const session = await findOrOpenSession(deps, { labId, testbed, owner: principal.id })
        room.note()
        return await reply.redirect(`/labs/${labId}/sessions/${session.id}`, 303)
      } catch (error) {
        // The lab can't run on this machine: its card says where it can.
        if (!(error instanceof LabError)) onError(error)
        return reply.redirect(`/#lab-${labId}`, 303)
      }
    })
  }
}
