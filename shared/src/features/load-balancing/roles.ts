/** The roles of the balancers and the backends. The start page loads their names, without the addresses. */
import { SERVER, type Role } from '../../testbed/placement.ts'

export const BALANCER = 'balancer'
/** The balancer that takes over. It has the same rules and none of the connections. */
export const STANDBY = 'standby'

/** The backends of the path: the usual backends, and another that joins. */
export const MOST_BACKENDS = 6
export const USUAL_BACKENDS = 5

/** The first backend is the server that tools call. */
export const backendRoles: readonly Role[] = Array.from({ length: MOST_BACKENDS }, (_, index) =>
  index === 0 ? SERVER : `backend-${index + 1}`,
)

export const roleNames: Readonly<Record<Role, string>> = {
  [STANDBY]: /*i18n*/ 'the balancer that takes over',
  ...Object.fromEntries(backendRoles.slice(1).map((role) => [role, role.replace('-', '')])),
}
