/** CPU time that a machine was busy, from /proc/stat. */
import { unreadable } from './read-output.ts'

/** Prints the files that {@link parseProcStat} reads. Both files are the machine's, also when read in a pod. */
export const procStatArgv: readonly string[] = ['cat', '/proc/sys/kernel/random/boot_id', '/proc/stat']

/** The kernel reports CPU time in hundredths of a second (USER_HZ) on all architectures with containers. */
const TICKS_A_SECOND = 100

export interface CpuTime {
  /** Identical in all pods on one kernel. */
  readonly bootId: string
  /** CPU seconds of work since boot, of all CPUs together. */
  readonly busySeconds: number
}

/**
 * Sums user, nice, system, irq and softirq time, which include the work on packets. Idle and iowait are waiting, steal
 * is time that the hypervisor gave to others, and guest time is already part of user time (proc_stat(5)).
 *
 * @throws LabError `tool_output_unreadable`
 */
export function parseProcStat(text: string): CpuTime {
  const bootId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/m.exec(text)?.[0]
  const [user, nice, system, , , irq, softirq] = (/^cpu +(\d+(?: \d+)*)$/m.exec(text)?.[1] ?? '').split(' ')
  const ticks = [user, nice, system, irq, softirq].reduce((sum, one) => sum + Number(one), 0)
  if (bootId === undefined || !Number.isFinite(ticks)) {
    throw unreadable(
      {
        name: 'The CPU time of a pod’s machine',
        remedy: 'CPU per gigabit needs /proc/stat and /proc/sys/kernel/random/boot_id of Linux.',
      },
      text,
    )
  }
  return { bootId, busySeconds: ticks / TICKS_A_SECOND }
}
