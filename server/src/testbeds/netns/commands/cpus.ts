/** The CPUs of the pods' commands. */
import type { CpuPlacement, Role, RoleCpus } from '@expresslane/shared/testbed/placement'
import { assertNever, LabError } from '@expresslane/shared/base/errors'

/**
 * @param refusal why CPUs can't be chosen; null if they can
 * @throws LabError `bad_request` for a placement that needs more CPUs than there are
 */
export function requireCpus(asked: CpuPlacement | null, refusal: string | null): void {
  if (asked === null || asked === 'scheduler' || refusal === null) return
  throw new LabError('bad_request', refusal, 'Leave the CPU placement at its default.')
}

/**
 * The CPU of each role. The last CPUs are taken, because the first one usually serves the machine's interrupts.
 *
 * @param asked null for the default: one CPU, which varies least (`docs/statistics.md`)
 * @returns empty to leave the choice to the scheduler
 */
export function cpusFor(asked: CpuPlacement | null, roles: readonly Role[], cpus: readonly number[]): RoleCpus {
  const placement = asked ?? 'one-cpu'
  const [last, before] = cpus.toReversed()
  if (last === undefined || before === undefined) return {}
  switch (placement) {
    case 'scheduler':
      return {}
    case 'one-cpu':
      return Object.fromEntries(roles.map((role) => [role, last]))
    case 'two-cpus':
      return Object.fromEntries(roles.map((role, index) => [role, index % 2 === 0 ? before : last]))
    default:
      return assertNever(placement)
  }
}

/** Makes a command run on a CPU, with everything that it starts; undefined to leave it to the scheduler. */
export function onCpu(cpu: number | undefined, argv: readonly string[]): readonly string[] {
  return cpu === undefined ? argv : ['taskset', '-c', `${cpu}`, ...argv]
}
