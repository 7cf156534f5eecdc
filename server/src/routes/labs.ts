import type { ListedLab } from '@expresslane/shared/labs/listed'
import { errorBody } from '@expresslane/shared/wire/errors'
import { labsResponse, testbedsResponse, testbedView, useContextBody } from '@expresslane/shared/wire/protocol'
import { kindOf, testbedId } from '@expresslane/shared/testbed/id'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { mayReadNotes } from '../access/policy.ts'
import type { Principal } from '../access/principal.ts'
import type { Deps } from '../deps.ts'
import { principalOf } from './gate.ts'
import { refusals } from './schemas.ts'

const testbedParams = z.strictObject({ id: testbedId })
const freshQuery = z.strictObject({ fresh: z.enum(['true', 'false']).default('false') })

function withoutNotes(lab: ListedLab): ListedLab {
  return { ...lab, steps: lab.steps.map((step) => ({ ...step, notes: null })) }
}

/** Whether to run the probes again. A room of viewers must not make the server do so. */
function isFresh({ role }: Principal, { fresh }: z.output<typeof freshQuery>): boolean {
  return fresh === 'true' && role !== 'viewer'
}

/** The labs, and the testbeds that they can run on. */
export function labRoutes({ labs, testbeds, status, coordinator, reach }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/labs',
      {
        schema: {
          summary: 'All labs in catalogue order, and the testbeds of this server',
          description:
            'Labs from the folders in `EXPRESSLANE_LABS` have the origin `own`. `problems` lists the errors in lab files. Only instructors receive the speaker’s notes. The stream sends a `labs` frame when this response changes.',
          tags: ['labs'],
          response: { 200: labsResponse, ...refusals },
        },
      },
      async (request) => {
        const principal = principalOf(request)
        return {
          labs: labs
            .all()
            .filter(({ id }) => reach.readsLab(principal, id))
            .map((lab) => (mayReadNotes(principal) ? lab : withoutNotes(lab))),
          problems: principal.role === 'instructor' ? [...labs.problems()] : [],
          testbeds: reach.testbeds(principal, testbeds.offered()),
        }
      },
    )

    app.get(
      '/api/testbeds',
      {
        schema: {
          summary: 'Every testbed: facts, capabilities, and what runs there now',
          description:
            'Passed preflight probes are cached; `fresh=true` runs them again. During a measurement nothing is read, and the response has the last known state.',
          tags: ['labs'],
          querystring: freshQuery,
          response: { 200: testbedsResponse, ...refusals },
        },
      },
      async (request) => {
        const principal = principalOf(request)
        const fresh = isFresh(principal, request.query)
        const ids = reach.testbeds(principal, testbeds.offered())
        return { testbeds: await Promise.all(ids.map((id) => status.view(id, fresh))) }
      },
    )

    app.get(
      '/api/testbeds/:id',
      {
        schema: {
          summary: 'One testbed, without waiting for the others',
          description: 'A kind without a context, such as `kubernetes`, means the context in use.',
          tags: ['labs'],
          params: testbedParams,
          querystring: freshQuery,
          response: { 200: testbedView, ...refusals, 404: errorBody },
        },
      },
      async (request) => {
        const principal = principalOf(request)
        return status.view(reach.testbedToRead(principal, request.params.id), isFresh(principal, request.query))
      },
    )

    app.put(
      '/api/testbeds/:id/context',
      {
        schema: {
          summary: 'Choose the kubeconfig context to use',
          description:
            'Only the kind in the id matters. Returns the testbed in that context. Refused while a run uses the current context. Credentials stay in the server.',
          tags: ['labs'],
          params: testbedParams,
          body: useContextBody,
          response: { 200: testbedView, ...refusals, 404: errorBody, 409: errorBody, 424: errorBody },
        },
      },
      async ({ params, body }) => {
        return status.view(await coordinator.useContext(kindOf(params.id), body.context), true)
      },
    )
  }
}
