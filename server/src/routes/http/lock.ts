/** Requests that change something wait for another process's lock on the database, and nobody else waits meanwhile. */
import type { FastifyInstance } from 'fastify'
import type { RunLog } from '../../runs/log/run-log.ts'

/** How long a request waits. */
const LOCK_MS = 5000
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Revoked access must not wait for a lock; a door is in memory only. */
const AT_ONCE = new Set([
  'DELETE /api/room/participants/:id',
  'DELETE /api/room/invitations/:id',
  'PUT /api/room/doors/:role',
  // Consent is in memory only, too, and ends at once.
  'PUT /api/sessions/:id/hand',
  'DELETE /api/sessions/:id/sharing',
])
/** Links that write although they are followed with GET: who follows them joins. */
const LINKS = new Set(['/f/:code', '/j/:code'])

export function waitForLock(app: FastifyInstance, log: Pick<RunLog, 'settled'>): void {
  app.addHook('preHandler', async ({ method, routeOptions: { url = '' } }) => {
    if ((READS.has(method) && !LINKS.has(url)) || AT_ONCE.has(`${method} ${url}`)) return
    await log.settled(LOCK_MS)
  })
}
