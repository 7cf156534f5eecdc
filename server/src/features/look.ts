/** Reads in a pod's network with the server's rights, where a testbed has them. */
import type { Role } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import type { Pods } from './feature.ts'

/** Without the rights it is read as the pods' user: then nobody could have attached a program either. */
export async function lookWithRights(
  role: Role,
  argv: readonly string[],
  { look }: Pick<Pods, 'look'>,
): Promise<string> {
  try {
    return await look(`net:${role}`, argv)
  } catch (error) {
    if (!(error instanceof LabError) || error.code !== 'testbed_unavailable') throw error
    return look(role, argv)
  }
}

/** Nothing to show, or no right to have made it. */
const ABSENT: ReadonlySet<string> = new Set(['tool_failed', 'testbed_unavailable'])

/** The output of a command that fails where there is nothing to show; null then. */
export async function ifAny(look: Promise<string>): Promise<string | null> {
  try {
    return await look
  } catch (error) {
    if (error instanceof LabError && ABSENT.has(error.code)) return null
    throw error
  }
}
