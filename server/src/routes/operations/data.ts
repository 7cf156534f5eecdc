import { dataResponse } from '@expresslane/shared/wire/data'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Deps } from '../../deps.ts'
import { databaseSize, freeSpace } from '../../store/upkeep/size.ts'
import { RECENT_DAYS } from '../../operations/forgetting.ts'
import { refusals } from '../http/schemas.ts'

/** What the history takes on the disk, and what is wrong with it. */
export function dataRoute({ store, config: { dataDir, keep } }: Pick<Deps, 'store' | 'config'>): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/data',
      {
        schema: {
          summary: 'The size of the history, the free space, and damaged databases that were moved aside',
          tags: ['health'],
          response: { 200: dataResponse, ...refusals },
        },
      },
      async () => ({
        directory: dataDir,
        bytes: databaseSize(dataDir),
        freeBytes: await freeSpace(dataDir),
        ...store.held(),
        keep: { ...keep, recentDays: RECENT_DAYS, beginsAt: store.retention.beginsAt() },
        damaged: store.damaged(),
        problem: store.problem()?.toProblem() ?? null,
      }),
    )
  }
}
