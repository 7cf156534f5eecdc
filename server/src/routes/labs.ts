import { errorBody } from '@expresslane/shared/wire/errors'
import { labsResponse, testbedsResponse, testbedView, useContextBody } from '@expresslane/shared/wire/protocol'
import { testbedKind } from '@expresslane/shared/testbed/testbed'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { refusals } from './schemas.ts'

const freshQuery = z.strictObject({ fresh: z.enum(['true', 'false']).default('false') })

/** What can be learned here, and where it can run. */
export function labRoutes({ labs, testbeds, status, coordinator }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/labs',
      {
        schema: {
          summary: 'All labs, in the order of the catalogue, and the kinds of testbed here',
          tags: ['labs'],
          response: { 200: labsResponse, ...refusals },
        },
      },
      async () => ({ labs: [...labs], testbeds: [...testbeds.kinds] }),
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
        testbeds: await Promise.all(testbeds.kinds.map((kind) => status.view(kind, query.fresh === 'true'))),
      }),
    )

    app.get(
      '/api/testbeds/:kind',
      {
        schema: {
          summary: 'One testbed, without waiting for the others',
          tags: ['labs'],
          params: z.strictObject({ kind: testbedKind }),
          querystring: freshQuery,
          response: { 200: testbedView, ...refusals },
        },
      },
      async ({ params, query }) => status.view(params.kind, query.fresh === 'true'),
    )

    app.put(
      '/api/testbeds/:kind/context',
      {
        schema: {
          summary: "Go on in another of the kubeconfig's contexts",
          description: 'Refused while a run holds the testbed. Credentials stay in the server.',
          tags: ['labs'],
          params: z.strictObject({ kind: testbedKind }),
          body: useContextBody,
          response: { 200: testbedView, ...refusals, 404: errorBody, 409: errorBody, 424: errorBody },
        },
      },
      async ({ params, body }) => {
        await coordinator.useContext(params.kind, body.context)
        return status.view(params.kind, true)
      },
    )
  }
}
