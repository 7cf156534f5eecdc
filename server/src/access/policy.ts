/** What each role may do, in one place. The gate and the routes ask here and decide nothing themselves. */
import { parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { Principal } from './principal.ts'

/** Routes that change something for everybody. All others are open to each role, for what it may read. */
const ownersAlone: ReadonlySet<string> = new Set([
  'PUT /api/testbeds/:id/context',
  'POST /api/recordings',
  'DELETE /api/recordings/:id',
  'PUT /api/profiles',
  'DELETE /api/profiles/:name',
])

/** @param route the pattern of the route that was matched */
export function mayCall({ role }: Principal, method: string, route: string): boolean {
  return role === 'owner' || !ownersAlone.has(`${method} ${route}`)
}

/** A session, its runs and their events. */
export function mayRead({ id, role }: Principal, session: { readonly owner: string }): boolean {
  return role === 'owner' || session.owner === id
}

/** A testbed, its readings, and running steps on it: those that everybody shares, and one's own. */
export function mayUse({ id, role }: Principal, testbed: TestbedId): boolean {
  const { owner } = parseTestbedId(testbed)
  return role === 'owner' || owner === null || owner === id
}
