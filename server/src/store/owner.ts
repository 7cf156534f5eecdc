/** Identifies the process that performs a run, even if a later process gets the same pid. */
import { readFileSync, readlinkSync } from 'node:fs'

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/** Start time in clock ticks since boot, field 22 of proc_pid_stat(5); null when there is no such process. */
function startTime(pid: string): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Field 2, the name in parentheses, can itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended.
    return fields[0] === 'Z' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}

function pidNamespace(): string {
  return readlinkSync('/proc/self/ns/pid')
}

/** A process as a run's row stores it: boot, pid namespace, pid and start time. */
export function ownerOf(pid: number): string {
  return [bootId(), pidNamespace(), pid, startTime(String(pid)) ?? ''].join(' ')
}

/** Whether the process that `owner` names still runs. False for another boot or another container. */
export function isAlive(owner: string): boolean {
  const [boot, namespace, pid, started] = owner.split(' ')
  if (boot !== bootId() || namespace !== pidNamespace() || pid === undefined) return false
  return /^\d+$/.test(pid) && startTime(pid) === started
}
