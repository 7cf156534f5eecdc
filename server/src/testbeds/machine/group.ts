/** Process groups: everything that one command started, and how to end it. */
import { open, readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** How long processes may take to end by themselves after SIGTERM. */
const GRACE_MS = 1000
/** How long the kernel may take to end them after SIGKILL. */
const KILL_MS = 5000
const POLL_MS = 5
/** More than the part of `/proc/PID/stat` up to the group: a pid, a name of up to 64 characters, a letter, two pids. */
const STAT_BYTES = 256

function signal(target: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, name)
    return true
  } catch {
    // ESRCH: it is gone. EPERM can't happen: this user owns its processes.
    return false
  }
}

/**
 * The beginning of `/proc/PID/stat`. Not with `readFile`: it takes 64 kB for each file whose size the kernel does not say,
 * and the many megabytes for all processes at once scatter the memory of a server that runs for long.
 *
 * @throws Error when the process has ended
 */
async function readStat(pid: number): Promise<string> {
  await using file = await open(`/proc/${pid}/stat`)
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(STAT_BYTES), 0, STAT_BYTES, 0)
  return buffer.toString('latin1', 0, bytesRead)
}

/** The group of a living process; null for a process that has ended, reaped or not. */
async function groupOf(pid: number): Promise<number | null> {
  try {
    const stat = await readStat(pid)
    // After the name in parentheses, which can contain anything: state, parent, group.
    const [state = '', , group = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? null : Number(group)
  } catch {
    // The process ended between the listing and the reading.
    return null
  }
}

async function membersAmong(pids: readonly number[], group: number): Promise<number[]> {
  const groups = await Promise.all(pids.map(groupOf))
  return pids.filter((_, index) => groups[index] === group)
}

/** The living processes of a group; a zombie, not yet reaped by its parent, does not count. */
export async function membersOf(group: number): Promise<number[]> {
  if (!signal(-group, 0)) return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return membersAmong(pids.map(Number), group)
}

/**
 * The kernel has no event for the end of a group, so this looks again until a deadline. While a member that it has
 * found lives, it looks at the known members alone: a machine has many processes.
 */
async function emptied(group: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  let members = await membersOf(group)
  while (members.length > 0) {
    if (performance.now() > until) return false
    await delay(POLL_MS)
    // Again: an nsenter that goes on finds that its child was stopped, and stops itself.
    goOn(group)
    const rest = await membersAmong(members, group)
    members = rest.length > 0 ? rest : await membersOf(group)
  }
  return true
}

/** Lets a group's stopped processes go on. */
export function goOn(group: number): void {
  signal(-group, 'SIGCONT')
}

/**
 * Signals all but the leader: nsenter and unshare wait for their child and then exit as it did. If they ended first,
 * nothing would reap the child. A stopped process takes no SIGTERM, and nsenter stops with its child, so all go on first.
 */
async function signalFollowers(group: number, name: NodeJS.Signals): Promise<void> {
  goOn(group)
  let members = await membersOf(group)
  if (members.length === 1 && members[0] === group) {
    // A leader whose child has ended is about to end by itself.
    await delay(POLL_MS)
    members = await membersOf(group)
  }
  const followers = members.filter((pid) => pid !== group)
  for (const pid of followers.length > 0 ? followers : members) signal(pid, name)
}

/** Ends a process group: SIGTERM, and SIGKILL after a grace. Resolves when none of its processes runs. */
export async function endGroup(group: number): Promise<void> {
  await signalFollowers(group, 'SIGTERM')
  if (await emptied(group, GRACE_MS)) return
  await signalFollowers(group, 'SIGKILL')
  if (await emptied(group, GRACE_MS)) return
  signal(-group, 'SIGKILL')
  await emptied(group, KILL_MS)
}
