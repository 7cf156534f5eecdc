/** The capabilities of a process, as /proc shows them. Pure. */

/** Bits of capability masks (include/uapi/linux/capability.h). */
export const CAP_KILL = 5
export const CAP_SETGID = 6
export const CAP_SETUID = 7
export const CAP_NET_ADMIN = 12
export const CAP_SYS_ADMIN = 21
export const CAP_SYS_NICE = 23
export const CAP_SYSLOG = 34
export const CAP_PERFMON = 38
export const CAP_BPF = 39

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

/** True for the user namespace of the host itself, which maps all users. */
export function isHostUserNamespace(uidMap: string): boolean {
  return uidMap.trim().split(/\s+/).join(' ') === '0 0 4294967295'
}
