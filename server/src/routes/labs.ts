import { labsResponse, testbedsResponse } from '@expresslane/shared/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { refusals } from './schemas.ts'

/** What can be learned here, and where it can run. */
export function labRoutes({ labs, testbeds, status }: Deps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/labs',
      {
        schema: {
          summary: 'All labs, in the order of the catalogue',
          tags: ['labs'],
          response: { 200: labsResponse, ...refusals },
        },
      },
      async () => ({ labs: [...labs] }),
    )

    app.get(
      '/api/testbeds',
      {
        schema: {
          summary: 'What each testbed is, can do, and is doing now',
          description:
            'Preflight probes run once and are then remembered; `fresh=true` runs them again. While a measurement runs nothing is read, and the last known is told.',
          tags: ['labs'],
          querystring: z.strictObject({ fresh: z.enum(['true', 'false']).default('false') }),
          response: { 200: testbedsResponse, ...refusals },
        },
      },
      async ({ query }) => ({
        testbeds: await Promise.all(testbeds.kinds.map((kind) => status.view(kind, query.fresh === 'true'))),
      }),
    )
  }
}
