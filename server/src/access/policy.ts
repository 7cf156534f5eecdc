/**
 * The rights of each role: every route, every frame of the stream, and whose sessions and testbeds. The gate, the stream
 * and `reach.ts` ask here and make no decisions themselves.
 */
import {
  formatTestbedId,
  hasTopologies,
  parseTestbedId,
  propertiesOf,
  type TestbedId,
} from '@expresslane/shared/testbed/id'
import { testbedsOf } from '@expresslane/shared/features/topology'
import type { StreamFrame } from '@expresslane/shared/wire/stream'
import type { Role } from '@expresslane/shared/wire/room'
import { linkOwner, type Principal } from './principal.ts'

/** `open`: nothing is checked. `strangers`: Host and Origin are checked, but nobody needs to be logged in. */
type Callers = 'open' | 'strangers' | readonly Role[]

const instructors: Callers = ['instructor']
const learners: Callers = ['instructor', 'participant']
const audience: Callers = ['participant', 'viewer']
const everyone: Callers = ['instructor', 'participant', 'viewer']

/**
 * Who may call which route. The server does not start with a route that has no line here. A line allows the call;
 * which sessions, runs and testbeds it can name is decided below.
 */
export const routePolicy: Readonly<Record<string, Callers>> = {
  // The page's own files.
  'GET /*': 'open',
  'GET /site': 'open',
  'GET /site/*': 'open',
  'GET /healthz': 'open',
  // Health checks have no login. The answer says no more than whether the server takes work.
  'GET /readyz': 'open',
  'GET /metrics': instructors,
  'GET /open': 'strangers',
  'GET /f/:code': 'strangers',
  'GET /j/:code': 'strangers',
  // The pages of learning platforms send people here. Tokens that the platforms sign say who they are.
  'GET /lti/jwks': 'open',
  'GET /lti/login': 'open',
  'POST /lti/login': 'open',
  'POST /lti/launch': 'open',
  'POST /api/join': 'strangers',
  'GET /api/me': everyone,
  'GET /api/me/record': learners,
  'POST /api/me/link': ['participant'],
  'POST /api/me/logout': everyone,
  'GET /api/openapi.json': everyone,
  'GET /api/stream': everyone,

  'GET /api/labs': everyone,
  'GET /api/site': learners,
  'GET /api/testbeds': everyone,
  'GET /api/testbeds/:id': everyone,
  'PUT /api/testbeds/:id/context': instructors,
  'POST /api/testbeds/:id/driver': learners,
  'DELETE /api/testbeds/:id/driver': learners,
  'GET /api/testbeds/:id/terminals': learners,
  'POST /api/testbeds/:id/terminals': learners,
  'DELETE /api/terminals/:id': learners,
  'GET /api/terminals/:id/stream': learners,

  'POST /api/sessions': learners,
  'GET /api/sessions': learners,
  'GET /api/sessions/:id': everyone,
  'GET /api/sessions/:id/report': learners,
  'GET /api/sessions/:id/recording': learners,
  'POST /api/sessions/:id/rehearsal': instructors,
  'GET /api/sessions/:id/rehearsal': instructors,
  'POST /api/sessions/:id/reset': learners,
  'POST /api/sessions/:id/steps/:step/run': learners,
  'POST /api/sessions/:id/steps/:step/hand': ['participant'],
  'PUT /api/sessions/:id/hand': ['participant'],
  'DELETE /api/sessions/:id/hand': learners,
  'PUT /api/sessions/:id/sharing': instructors,
  'DELETE /api/sessions/:id/sharing': instructors,

  'GET /api/runs': learners,
  'GET /api/runs/:id': everyone,
  'GET /api/runs/:id/output': everyone,
  'GET /api/runs/:id/report': learners,
  'GET /api/runs/:id/recording': learners,
  'GET /api/runs/:id/opinion': everyone,
  'POST /api/runs/:id/opinion': learners,
  'POST /api/runs/:id/cancel': learners,
  'POST /api/runs/:id/jump': instructors,
  'GET /api/compare/report': learners,
  'GET /api/found/report': learners,

  'GET /api/presentation': everyone,
  'PUT /api/presentation': instructors,
  'DELETE /api/presentation': instructors,
  'POST /api/presentation/commands': instructors,
  'POST /api/presentation/answers': audience,

  'GET /api/room/invitations': instructors,
  'POST /api/room/invitations': instructors,
  'DELETE /api/room/invitations/:id': instructors,
  'PUT /api/room/doors/:role': instructors,
  'GET /api/room': instructors,
  'GET /api/room/results.csv': instructors,
  'GET /api/room/report': instructors,
  'GET /api/room/steps': instructors,
  'GET /api/room/steps.csv': instructors,
  'GET /api/room/xapi.json': instructors,
  'PUT /api/room/queue': instructors,
  'POST /api/room/messages': instructors,
  'POST /api/room/networks': instructors,
  'DELETE /api/room/participants/:id': instructors,
  'GET /api/data': instructors,
  'GET /api/audit': instructors,
  'GET /api/audit.csv': instructors,

  'GET /api/recordings': learners,
  'POST /api/recordings': instructors,
  'GET /api/recordings/:id': learners,
  'DELETE /api/recordings/:id': instructors,

  'GET /api/profiles': learners,
  'PUT /api/profiles': instructors,
  'DELETE /api/profiles/:name': instructors,
}

/**
 * Routes that the holder of EXPRESSLANE_METRICS_TOKEN may read, too: a Prometheus needs no key that can do anything else.
 * Viewers and participants may not: the metrics tell about everybody's work.
 */
export const monitored: ReadonlySet<string> = new Set(['/metrics'])

/** Changing requests that leave no line in the audit log: the answers of the room are anonymous. */
const unaudited: ReadonlySet<string> = new Set(['POST /api/presentation/answers'])

/** @param route the pattern of the matched route */
export function isAudited(method: string, route: string): boolean {
  const line = `${method} ${route}`
  return method !== 'GET' && line in routePolicy && !unaudited.has(line)
}

/** The roles that may receive each frame. Events and readings only go to principals that may read them. */
export const framePolicy: Readonly<Record<StreamFrame['type'], readonly Role[]>> = {
  hello: everyone,
  beat: everyone,
  labs: everyone,
  events: everyone,
  live: everyone,
  presentation: everyone,
  message: learners,
  drivers: learners,
  hands: learners,
  holders: learners,
  store: learners,
  room: instructors,
}

/**
 * Who may call a route. A route without a line has no callers; HEAD is a GET without its body.
 *
 * @param route the pattern of the matched route
 */
export function callersOf(method: string, route: string): Callers | null {
  return routePolicy[`${method === 'HEAD' ? 'GET' : method} ${route}`] ?? null
}

export function mayReceive({ role }: Principal, type: StreamFrame['type']): boolean {
  return framePolicy[type].includes(role)
}

/** Whether a principal may read the speaker's notes of a lab. */
export function mayReadNotes({ role }: Principal): boolean {
  return role === 'instructor'
}

/** The session that a presenter shows the room now. */
export interface Presented {
  readonly sessionId: string
  readonly labId: string
  readonly testbed: TestbedId
}

interface Owned {
  readonly id: string
  readonly owner: string
}

/** Whether a principal may run the steps of a session, reset it and cancel its runs. */
export function mayDrive({ id, role }: Principal, session: Pick<Owned, 'owner'>): boolean {
  return role === 'instructor' || (role === 'participant' && session.owner === id)
}

/** The seconds of measuring that a run can plan which a principal starts; null for any number. */
export function mostSecondsOf({ role }: Principal, { mostSeconds }: { readonly mostSeconds: number }): number | null {
  return role === 'instructor' ? null : mostSeconds
}

/** A principal may read its own sessions and the presented session, with their runs, opinions and events. */
export function mayRead(principal: Principal, session: Owned, presented: Presented | null): boolean {
  return mayDrive(principal, session) || session.id === presented?.sessionId
}

/** The testbed that a principal means: a participant's `netns` is `netns@ID`, and `counted` is `counted@ID`. */
export function ownTestbed({ id, role }: Principal, testbed: TestbedId): TestbedId {
  const { kind, context, owner } = parseTestbedId(testbed)
  return role === 'participant' && hasTopologies(kind) && owner === null
    ? formatTestbedId({ kind, context, owner: id })
    : testbed
}

/**
 * Whether a principal may begin sessions on a testbed. A participant uses their own testbeds, and the
 * clusters and recordings that everybody shares; not the testbeds that the instructor presents with, and no host over ssh.
 */
export function mayUse(principal: Principal, testbed: TestbedId): boolean {
  if (principal.role !== 'participant') return principal.role === 'instructor'
  if (propertiesOf(testbed).isOwners) return false
  const { owner } = parseTestbedId(testbed)
  if (owner === null) return ownTestbed(principal, testbed) === testbed
  // The list is long to build, and most testbeds of a room are somebody else's.
  return owner === principal.id && testbedsOf(owner).includes(testbed)
}

/**
 * Why a principal can't have a terminal on a testbed that it may use; null if it can. On the server's own machine, on the
 * owner's hosts and on shared clusters a shell is the owner's alone: a participant has a machine of their own.
 */
export function whyNoTerminal({ id, role }: Principal, testbed: TestbedId): string | null {
  const { isHere, isOwners, isCluster, isRecorded } = propertiesOf(testbed)
  if (isRecorded) return 'A recording has no terminal: nothing runs there.'
  if ((isHere || isOwners || isCluster) && id !== linkOwner.id)
    return 'Terminals on this testbed are for the person alone who started the server.'
  const { owner } = parseTestbedId(testbed)
  return role === 'participant' || owner === null ? null : 'This testbed is somebody else’s.'
}

/** A principal may read the state of the testbeds that it may use, and of the presented testbed. */
export function mayWatch(principal: Principal, testbed: TestbedId, presented: Presented | null): boolean {
  return mayUse(principal, testbed) || testbed === presented?.testbed
}

/**
 * A principal's pages follow the paths of the shared testbeds, of its own testbed, and of the presented testbed. An
 * instructor may read the participants' testbeds, but does not follow all of them: each costs a reading every second.
 */
export function followsPath(principal: Principal, testbed: TestbedId, presented: Presented | null): boolean {
  const { owner } = parseTestbedId(testbed)
  const isNear = owner === null || owner === principal.id || testbed === presented?.testbed
  return isNear && mayWatch(principal, testbed, presented)
}
