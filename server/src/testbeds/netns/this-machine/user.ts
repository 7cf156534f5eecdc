/** The user whose processes the testbed's are. */

/** `nobody`, on every Linux; nothing belongs to it. */
const NOBODY = 65_534

/** Bits of capability masks (include/uapi/linux/capability.h). */
const CAP_KILL = 5
const CAP_SETGID = 6
const CAP_SETUID = 7
export const CAP_NET_ADMIN = 12
export const CAP_SYS_ADMIN = 21
export const CAP_SYS_NICE = 23
export const CAP_SYSLOG = 34
export const CAP_PERFMON = 38
export const CAP_BPF = 39

export interface User {
  readonly uid: number
  readonly gid: number
  /** Whether the server can make namespaces for this user even where the system refuses them to ordinary users. */
  readonly helped: boolean
}

/** A process as /proc/self describes it. */
export interface Self {
  readonly uid: number | null
  readonly status: string
  readonly uidMap: string
  readonly gidMap: string
}

/**
 * True if a process with this status has the capability of this bit.
 *
 * @param set its own (effective), or those that the programs of an ordinary user get (ambient)
 */
export function hasCapability(status: string, bit: number, set: 'Eff' | 'Amb' = 'Eff'): boolean {
  const mask = BigInt(`0x${new RegExp(`^Cap${set}:\\s*([0-9a-f]+)$`, 'm').exec(status)?.[1] ?? '0'}`)
  return ((mask >> BigInt(bit)) & 1n) === 1n
}

/** Whether a user namespace has all users of the host: it is the host's own. */
export function isHostUserNamespace(uidMap: string): boolean {
  return uidMap.trim().split(/\s+/).join(' ') === '0 0 4294967295'
}

/** Whether an id exists in the process's user namespace: lines of first id inside, first id outside, count. */
function isMapped(map: string, id: number): boolean {
  return map.split('\n').some((line) => {
    const [first = Number.NaN, , count = 0] = line.trim().split(/\s+/).map(Number)
    return id >= first && id < first + count
  })
}

/**
 * The user for the testbed's processes. As root they would own root's files, although they run in a user namespace.
 *
 * @returns null: the server's own, which is not root, or can't become another
 */
export function userFor({ uid, status, uidMap, gidMap }: Self): User | null {
  const has = (bit: number): boolean => hasCapability(status, bit)
  if (uid !== 0 || !has(CAP_KILL) || !has(CAP_SETGID) || !has(CAP_SETUID)) return null
  if (!isMapped(uidMap, NOBODY) || !isMapped(gidMap, NOBODY)) return null
  return { uid: NOBODY, gid: NOBODY, helped: has(CAP_SYS_ADMIN) }
}

/**
 * The command line, which root runs, of a program that becomes the user first. It keeps the permission to make
 * namespaces (`capable(CAP_SYS_ADMIN)`) until it is in its own.
 */
export function helpedArgv({ uid, gid }: User, argv: readonly string[]): string[] {
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
  return ['setpriv', ...ids, '--inh-caps=+sys_admin', '--ambient-caps=+sys_admin', ...argv]
}
