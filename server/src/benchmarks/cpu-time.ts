/** How long the pods' machines were busy. */
import type { Role } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import type { CallContext, Testbed } from '../testbeds/testbed.ts'
import { parseProcStat, procStatArgv, type CpuTime } from '../tools/proc-stat.ts'
import { collect, withoutOutput } from './collect.ts'

/** The times of each role's machine at one moment. */
export type CpuTimes = ReadonlyMap<Role, CpuTime>

/** @returns null if a pod can't read them @throws LabError of the testbed; `signal.reason` */
export async function readCpuTimes(
  testbed: Testbed,
  roles: readonly Role[],
  context: CallContext,
): Promise<CpuTimes | null> {
  const quiet = withoutOutput(context)
  const read = async (role: Role): Promise<[Role, CpuTime]> => [
    role,
    parseProcStat(await collect(testbed, role, procStatArgv, quiet)),
  ]
  try {
    return new Map(await Promise.all(roles.map(read)))
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof LabError && (error.code === 'tool_failed' || error.code === 'tool_output_unreadable')) {
      return null
    }
    throw error
  }
}

/**
 * CPU seconds that the pods' machines were busy between two readings, with everything that ran on them. Pods with the
 * same kernel count once.
 *
 * @returns null if they could not be read, or if a machine was booted in between
 */
export function busySeconds(before: CpuTimes | null, after: CpuTimes | null): number | null {
  if (before === null || after === null) return null
  const byMachine = new Map<string, number>()
  for (const [role, { bootId, busySeconds: now }] of after) {
    const earlier = before.get(role)
    if (earlier?.bootId !== bootId) return null
    byMachine.set(bootId, Math.max(byMachine.get(bootId) ?? 0, now - earlier.busySeconds))
  }
  return [...byMachine.values()].reduce((sum, seconds) => sum + seconds, 0)
}
