import type { Output } from '@expresslane/shared/wire/route'
import {
  listTestbeds,
  readTestbed,
  chooseContext,
  askToDrive,
  stopDriving,
  type TestbedView,
} from '@expresslane/shared/wire/protocol'
import { serve } from '../http/serve.ts'
import { LabError } from '@expresslane/shared/base/errors'
import { kindOf, type TestbedId } from '@expresslane/shared/testbed/id'
import type { FastifyPluginAsync } from 'fastify'
import type { Principal } from '../../access/principal.ts'
import type { Deps } from '../../deps.ts'
import { sendTagged } from '../http/kept.ts'

/** True if the request asks to run the preflight again. A room of viewers must not make the server do so. */
function isFresh({ role }: Principal, { fresh }: Output<typeof readTestbed, 'query'>): boolean {
  return fresh === 'true' && role !== 'viewer'
}

/** The testbeds that labs can run on, and the context that one of them uses. */
export function testbedRoutes({
  testbeds,
  status,
  scheduler,
  reach,
}: Pick<Deps, 'testbeds' | 'status' | 'scheduler' | 'reach'>): FastifyPluginAsync {
  async function view(of: Principal, id: TestbedId, fresh: boolean): Promise<TestbedView> {
    const seen = await status.view(id, fresh)
    return { ...seen, busy: reach.busy(of, seen.busy) }
  }

  return async (app) => {
    serve(app, listTestbeds, {
      summary: 'Every testbed: facts, capabilities, and what runs there now',
      description:
        'Passed preflight checks are cached; `fresh=true` runs them again. During a measurement nothing is read, and the response has the last known state.',
      tags: ['labs'],
      handler: async (request, reply) => {
        const { principal, query } = request
        const fresh = isFresh(principal, query)
        const ids = reach.testbeds(principal, testbeds.offered())
        const views = await Promise.all(ids.map((id) => view(principal, id, fresh)))
        return sendTagged(request, reply, JSON.stringify({ testbeds: views }))
      },
    })

    serve(app, readTestbed, {
      summary: 'One testbed, without waiting for the others',
      description: 'A kind without a context, such as `kubernetes`, means the context in use.',
      tags: ['labs'],
      errors: [404],
      handler: async (request, reply) => {
        const { principal, query } = request
        const id = reach.testbedToRead(principal, request.params.id)
        const seen = await view(principal, id, isFresh(principal, query))
        return sendTagged(request, reply, JSON.stringify(seen))
      },
    })

    serve(app, chooseContext, {
      summary: 'Choose the kubeconfig context to use',
      description:
        'Only the kind in the id matters. Returns the testbed in that context. Refused while a run uses the current context. Credentials stay in the server.',
      tags: ['labs'],
      errors: [404, 409, 424],
      handler: async ({ principal, params, body }) => {
        return view(principal, await scheduler.useContext(kindOf(params.id), body.context), true)
      },
    })
  }
}

/** The driver of a cluster that several people share: reading, asking, taking over and stopping. */
export function driverRoutes({
  testbeds,
  reach,
  driving,
}: Pick<Deps, 'testbeds' | 'reach' | 'driving'>): FastifyPluginAsync {
  /** A testbed of this server. Each id that exists nowhere would be kept with its driver. */
  function drivable(of: Principal, asked: TestbedId): TestbedId {
    const id = testbeds.resolve(reach.testbedToUse(of, asked))
    if (reach.testbeds(of, testbeds.ids()).includes(id)) return id
    throw new LabError('not_found', 'This testbed does not exist.', 'Choose a testbed on the start page.')
  }

  return async (app) => {
    serve(app, askToDrive, {
      summary: 'Drive a cluster, or ask its driver',
      description:
        'If nobody drives, or for an instructor, it takes over at once. Otherwise the driver’s page shows who asks, and after 60 s without an answer the same request takes over. The driver answers with this request, too: they keep driving.',
      tags: ['labs'],
      errors: [404],
      handler: async ({ principal, params }) => {
        return { driver: driving.ask(principal, drivable(principal, params.id)) }
      },
    })

    serve(app, stopDriving, {
      summary: 'Stop driving a cluster',
      description: 'The person who asked drives then.',
      tags: ['labs'],
      errors: [404, 409],
      handler: async ({ principal, params }) => {
        return { driver: driving.giveBack(principal, drivable(principal, params.id)) }
      },
    })
  }
}
