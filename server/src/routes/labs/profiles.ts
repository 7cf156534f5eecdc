import { listProfiles, saveProfile, removeProfile } from '@expresslane/shared/wire/profiles'
import { serve } from '../http/serve.ts'
import { LabError } from '@expresslane/shared/base/errors'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../../deps.ts'
import { requireKnown } from '../../runs/coordination/plan.ts'

/** The Bench page's plans, saved by name for everybody who uses this server. */
export function profileRoutes({ store, clock }: Pick<Deps, 'store' | 'clock'>): FastifyPluginAsync {
  return async (app) => {
    serve(app, listProfiles, {
      summary: 'All saved plans, by name',
      tags: ['profiles'],
      handler: async () => ({ profiles: store.profiles.all() }),
    })

    serve(app, saveProfile, {
      summary: 'Save a plan under a name',
      description: 'Replaces a plan of the same name.',
      tags: ['profiles'],
      handler: async ({ body }) => {
        requireKnown(body.plan)
        const saved = { ...body, savedAt: clock.now() }
        store.profiles.save(saved)
        return saved
      },
    })

    serve(app, removeProfile, {
      summary: 'Delete a saved plan',
      tags: ['profiles'],
      errors: [404],
      handler: async ({ params }) => {
        if (!store.profiles.remove(params.name)) {
          throw new LabError(
            'not_found',
            `The saved plan “${params.name}” does not exist.`,
            'Reload the page to see the current plans.',
          )
        }
      },
    })
  }
}
