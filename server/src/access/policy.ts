/** What each role may do. The gate and the routes ask here and make no decisions themselves. */
import { formatTestbedId, parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { Principal } from './principal.ts'

/** Routes that change something for everybody. Every role may call the others, for the sessions it may read. */
const ownerOnly: ReadonlySet<string> = new Set([
  'PUT /api/testbeds/:id/context',
  'POST /api/recordings',
  'DELETE /api/recordings/:id',
  'PUT /api/profiles',
  'DELETE /api/profiles/:name',
  'POST /api/runs/:id/jump',
  'PUT /api/room/queue',
])

/** @param route the pattern of the matched route */
export function mayCall({ role }: Principal, method: string, route: string): boolean {
  return role === 'owner' || !ownerOnly.has(`${method} ${route}`)
}

/** Whether a principal may read a session, its runs and their events. */
export function mayRead({ id, role }: Principal, session: { readonly owner: string }): boolean {
  return role === 'owner' || session.owner === id
}

/**
 * Whether a principal may read a testbed and run steps on it. A participant uses its own network namespaces, and the
 * clusters and recordings that everybody shares.
 */
export function mayUse(principal: Principal, testbed: TestbedId): boolean {
  if (principal.role !== 'participant') return true
  return parseTestbedId(testbed).owner === null ? ownTestbed(principal, testbed) === testbed : isOwn(principal, testbed)
}

function isOwn({ id }: Principal, testbed: TestbedId): boolean {
  return testbed === formatTestbedId({ kind: 'netns', context: null, owner: id })
}

/** The testbed that a principal means: a participant's `netns` is `netns@ID`. */
export function ownTestbed({ id, role }: Principal, testbed: TestbedId): TestbedId {
  const { kind, context, owner } = parseTestbedId(testbed)
  return role === 'participant' && kind === 'netns' && owner === null
    ? formatTestbedId({ kind, context, owner: id })
    : testbed
}

/**
 * Whether a principal's pages follow a testbed's path: the shared testbeds and its own. An instructor may read the
 * participants' testbeds, but does not follow all of them: each costs a reading every second.
 */
export function followsPath(principal: Principal, testbed: TestbedId): boolean {
  const { owner } = parseTestbedId(testbed)
  return mayUse(principal, testbed) && (owner === null || owner === principal.id)
}
