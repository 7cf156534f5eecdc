/** The user whose processes the testbed's are. */
import {
  CAP_KILL,
  CAP_SETGID,
  CAP_SETUID,
  CAP_SYS_ADMIN,
  hasCapability,
  type Self,
} from '../../machine/capabilities.ts'

/** `nobody`, on every Linux; nothing belongs to it. */
const NOBODY = 65_534

export interface User {
  readonly uid: number
  readonly gid: number
  /** Whether the server can make namespaces for this user even where the system refuses them to ordinary users. */
  readonly helped: boolean
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
