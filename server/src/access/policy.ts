/** What each role may do. The gate and the routes ask here and make no decisions themselves. */
import { parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { Principal } from './principal.ts'

/** Routes that change something for everybody. Every role may call the others, for the sessions it may read. */
const ownerOnly: ReadonlySet<string> = new Set([
  'PUT /api/testbeds/:id/context',
  'POST /api/recordings',
  'DELETE /api/recordings/:id',
  'PUT /api/profiles',
  'DELETE /api/profiles/:name',
])

/** @param route the pattern of the matched route */
export function mayCall({ role }: Principal, method: string, route: string): boolean {
  return role === 'owner' || !ownerOnly.has(`${method} ${route}`)
}

/** Whether a principal may read a session, its runs and their events. */
export function mayRead({ id, role }: Principal, session: { readonly owner: string }): boolean {
  return role === 'owner' || session.owner === id
}

/** Whether a principal may read a testbed and run steps on it: a shared testbed, or its own. */
export function mayUse({ id, role }: Principal, testbed: TestbedId): boolean {
  const { owner } = parseTestbedId(testbed)
  return role === 'owner' || owner === null || owner === id
}
