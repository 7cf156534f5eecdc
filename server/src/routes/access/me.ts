import { downloadRecord, readMe, endLogin, type Me } from '@expresslane/shared/wire/room'
import { serve } from '../http/serve.ts'
import { LabError } from '@expresslane/shared/base/errors'
import type { FastifyPluginAsync } from 'fastify'
import { mostSecondsOf } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import { completedLabs } from '../../completion/completed.ts'
import type { Signer } from '../../completion/signer.ts'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { logOutOf, type Front } from './cookies.ts'

/** A principal as the page knows it. */
export function meOf(principal: Principal, config: Config): Me {
  const { id, role, name } = principal
  const { workshop, records } = config
  return { id, role, name, workshop, mostSeconds: mostSecondsOf(principal, config), records }
}

/** Answers the caller's name and role, and the end of their login. */
export function meRoute({ config, people }: Pick<Deps, 'config' | 'people'>, front: Front): FastifyPluginAsync {
  return async (app) => {
    serve(app, readMe, {
      summary: 'Who you are on this server',
      tags: ['access'],
      handler: async ({ principal }) => meOf(principal, config),
    })

    serve(app, endLogin, {
      summary: 'Log out of this browser',
      description:
        'Ends this login alone, clears its cookies and closes its streams with 4003. A participant without another login has left: seat and name are free, and results stay.',
      tags: ['access'],
      errors: [409],
      handler: async (request, reply) => {
        if (request.login === null) {
          throw new LabError(
            'nothing_to_do',
            'This request has a token and no login that could end.',
            'To lock a token out, start the server with another EXPRESSLANE_TOKEN.',
          )
        }
        people.logOut(request.principal, request.login)
        return logOutOf(front, request, reply).code(204).send(null)
      },
    })
  }
}

/** @param signer null for a server that signs no records */
export function recordRoute(
  deps: Pick<Deps, 'store' | 'log' | 'labs' | 'clock'>,
  signer: Signer | null,
): FastifyPluginAsync {
  return async (app) => {
    serve(app, downloadRecord, {
      summary: 'A signed record of the labs that you completed, as a file',
      description:
        'A W3C Verifiable Credential as a JWT, signed with Ed25519. docs/completion.md says what it holds and how to verify it. Only with EXPRESSLANE_RECORDS=1.',
      tags: ['access'],
      errors: [404, 409],
      file: 'A JWT',
      handler: async ({ principal: { id, name } }, reply) => {
        if (signer === null) {
          const remedy = 'To let it sign them, start it with EXPRESSLANE_RECORDS=1.'
          throw new LabError('not_found', 'This server does not sign records.', remedy)
        }
        const completed = await completedLabs(deps, id)
        if (completed.length === 0) {
          const remedy = 'Do every step of a lab that has a button, then ask again. A reset takes a lab back.'
          throw new LabError('step_not_ready', 'You have not completed a lab yet.', remedy)
        }
        return reply
          .header('content-disposition', 'attachment; filename="expresslane-record.jwt"')
          .type('application/vc+jwt')
          .send(await signer.sign({ name, completed }, deps.clock.now()))
      },
    })
  }
}
