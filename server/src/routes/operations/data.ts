import { readData } from '@expresslane/shared/wire/data'
import { serve } from '../http/serve.ts'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../../deps.ts'
import { databaseSize, freeSpace } from '../../store/upkeep/size.ts'
import { RECENT_DAYS } from '../../operations/forgetting.ts'

/** The history's size on the disk, and its damaged databases. */
export function dataRoute({ store, config: { dataDir, keep } }: Pick<Deps, 'store' | 'config'>): FastifyPluginAsync {
  return async (app) => {
    serve(app, readData, {
      summary: 'The size of the history, the free space, and damaged databases that were moved aside',
      tags: ['health'],
      handler: async () => ({
        directory: dataDir,
        bytes: databaseSize(dataDir),
        freeBytes: await freeSpace(dataDir),
        ...store.held(),
        keep: { ...keep, recentDays: RECENT_DAYS, beginsAt: store.retention.beginsAt() },
        damaged: store.damaged(),
        problem: store.problem()?.toProblem() ?? null,
      }),
    })
  }
}
