/** The workload that is deployed on a testbed. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Role } from '@expresslane/shared/testbed/placement'

/** A pod for each role; netserver listens in the server's. */
export interface Workload {
  readonly roles: readonly Role[]
}

/**
 * Checks that a testbed has a place for each role of a workload.
 *
 * @throws LabError `bad_request` naming the roles without a place
 */
export function requireRoles({ roles }: Workload, offered: readonly Role[]): void {
  const missing = roles.filter((one) => !offered.includes(one))
  if (missing.length === 0) return
  throw new LabError(
    'bad_request',
    `This testbed has no place for ${missing.join(' and ')}.`,
    'Choose another testbed for this lab.',
    { detail: `It has places for ${offered.join(', ')}.` },
  )
}
