import { errorBody } from '@expresslane/shared/wire/errors'
import { labsResponse, testbedsResponse, testbedView, useContextBody } from '@expresslane/shared/wire/protocol'
import { kindOf, testbedId } from '@expresslane/shared/testbed/id'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { principalOf } from './gate.ts'
import { refusals } from './schemas.ts'

const testbedParams = z.strictObject({ id: testbedId })
const freshQuery = z.strictObject({ fresh: z.enum(['true', 'false']).default('false') })

/** What can be learned here, and where it can run. */
export function labRoutes({ labs, testbeds, status, coordinator, reach }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/labs',
      {
        schema: {
          summary: 'All labs, in the order of the catalogue, and the testbeds that are offered here',
          description:
            "Labs of the folders in `EXPRESSLANE_LABS` have the origin `own`; `problems` says what is wrong with files that can't be read. The stream sends a `labs` frame when this answer changes.",
          tags: ['labs'],
          response: { 200: labsResponse, ...refusals },
        },
      },
      async () => ({ labs: [...labs.all()], problems: [...labs.problems()], testbeds: testbeds.offered() }),
    )

    app.get(
      '/api/testbeds',
      {
        schema: {
          summary: 'What each testbed is, can do, and is doing now',
          description:
            'Preflight probes are remembered while all is well; `fresh=true` runs them again. While a measurement runs nothing is read, and the last known is told.',
          tags: ['labs'],
          querystring: freshQuery,
          response: { 200: testbedsResponse, ...refusals },
        },
      },
      async ({ query }) => ({
        testbeds: await Promise.all(testbeds.offered().map((id) => status.view(id, query.fresh === 'true'))),
      }),
    )

    app.get(
      '/api/testbeds/:id',
      {
        schema: {
          summary: 'One testbed, without waiting for the others',
          description: 'A kind alone, such as `kubernetes`, means the context in use.',
          tags: ['labs'],
          params: testbedParams,
          querystring: freshQuery,
          response: { 200: testbedView, ...refusals, 404: errorBody },
        },
      },
      async (request) => {
        const { params, query } = request
        reach.requireTestbed(principalOf(request), params.id)
        return status.view(params.id, query.fresh === 'true')
      },
    )

    app.put(
      '/api/testbeds/:id/context',
      {
        schema: {
          summary: "Put another of the kubeconfig's contexts in use",
          description:
            'Of the id only the kind counts. Answers with the testbed in that context. Refused while a run holds the one in use. Credentials stay in the server.',
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
