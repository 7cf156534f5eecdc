/** The primitives that this machine's kernel and this process's rights allow, and the reason for each that they lack. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import type { MachinePrimitives } from '../../machine/machine.ts'
import { ONE_CPU } from './cpus.ts'
import {
  CAP_BPF,
  CAP_NET_ADMIN,
  CAP_SYS_ADMIN,
  CAP_SYS_NICE,
  hasCapability,
  isHostUserNamespace,
  type Self,
} from './user.ts'

/** The facts of a process and its kernel that decide about the primitives. */
export interface Rights extends Pick<Self, 'uid' | 'status' | 'uidMap'> {
  /** `kernel.unprivileged_bpf_disabled`; null if the kernel has no such setting. */
  readonly unprivilegedBpf: string | null
  /** Whether the kernel has IPVS, loaded or as a module. */
  readonly ipvs: boolean
  /** Whether the kernel has these kinds of devices, loaded or as modules. */
  readonly netkit: boolean
  readonly vxlan: boolean
  readonly geneve: boolean
  /** Whether this process may open /dev/net/tun; null where there is none. */
  readonly tun: boolean | null
  /** Whether /proc shows the kernel's own threads, as it does outside of containers. */
  readonly kernelThreads: boolean
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1').trim()
  } catch {
    // Files of a kernel differ; without a file, its right is unknown.
    return null
  }
}

function hasModule(name: string): boolean {
  const modules = `/lib/modules/${read('/proc/sys/kernel/osrelease') ?? ''}`
  return ['modules.dep', 'modules.builtin'].some((file) => read(`${modules}/${file}`)?.includes(`/${name}.ko`) === true)
}

const TUN = '/dev/net/tun'

type Kinds = Pick<Rights, 'netkit' | 'vxlan' | 'geneve'>
let known: Kinds | null = null

/** A kernel does not say which devices it has, but it lists its functions: a second's thirtieth, so once a process. */
function knownKinds(): Kinds {
  const functions = known === null ? (read('/proc/kallsyms') ?? '') : ''
  const has = (kind: string): boolean => new RegExp(` ${kind}_xmit(\\s|$)`, 'm').test(functions) || hasModule(kind)
  known ??= { netkit: has('netkit'), vxlan: has('vxlan'), geneve: has('geneve') }
  return known
}

function mayOpenTun(): boolean | null {
  if (!existsSync(TUN)) return null
  try {
    accessSync(TUN, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

export function readRights(): Rights {
  return {
    uid: process.geteuid?.() ?? null,
    status: read('/proc/self/status') ?? '',
    uidMap: read('/proc/self/uid_map') ?? '',
    unprivilegedBpf: read('/proc/sys/kernel/unprivileged_bpf_disabled'),
    ipvs: existsSync('/proc/net/ip_vs') || hasModule('ip_vs'),
    ...knownKinds(),
    tun: mayOpenTun(),
    kernelThreads: read('/proc/2/comm') === 'kthreadd',
  }
}

/**
 * Why this process can't load BPF programs for network devices; null if it can. Without root they are refused whatever
 * `kernel.unprivileged_bpf_disabled` says (bpf_prog_load in kernel/bpf/syscall.c).
 */
function bpfRefusal({ uid, status, uidMap, unprivilegedBpf }: Rights): string | null {
  if (uid !== 0) {
    const setting = unprivilegedBpf === null ? '' : `: kernel.unprivileged_bpf_disabled is ${unprivilegedBpf}`
    return `BPF needs root here${setting}.`
  }
  if (!isHostUserNamespace(uidMap)) return 'BPF needs root outside of any user namespace.'
  const needed = [CAP_BPF, CAP_NET_ADMIN, CAP_SYS_ADMIN]
  return needed.every((one) => hasCapability(status, one))
    ? null
    : 'BPF needs the capabilities CAP_BPF, CAP_NET_ADMIN and CAP_SYS_ADMIN, which root does not have here.'
}

/** Why no kernel thread can get a CPU and a priority here; null if one can (sched_setaffinity(2), sched_setscheduler(2)). */
function threadRefusal({ uid, status, uidMap, kernelThreads }: Rights): string | null {
  if (uid !== 0 || !isHostUserNamespace(uidMap)) return 'Only root may choose the CPU of a kernel thread.'
  if (!hasCapability(status, CAP_SYS_NICE)) {
    return 'Choosing the CPU of a kernel thread needs the capability CAP_SYS_NICE, which root does not have here.'
  }
  return kernelThreads ? null : 'The kernel’s threads can’t be seen from this container.'
}

/** Why this process can't set up IPVS; null if it can. Before Linux 6.11 that takes root outside of user namespaces. */
function ipvsRefusal({ ipvs, uid, status, uidMap }: Rights): string | null {
  if (!ipvs) return 'This kernel has no ip_vs.'
  if (uid !== 0 || !isHostUserNamespace(uidMap)) return 'IPVS needs root here.'
  return hasCapability(status, CAP_NET_ADMIN)
    ? null
    : 'IPVS needs the capability CAP_NET_ADMIN, which root does not have here.'
}

/** Why no TUN device can be made here; null if one can. */
function tunRefusal({ tun }: Rights): string | null {
  if (tun === null) return `There is no ${TUN} here, which a translator in user space needs.`
  return tun ? null : `This user may not open ${TUN}, which a translator in user space needs.`
}

/** @param cpus the CPUs that this process can use */
export function primitivesOf(rights: Rights, cpus: readonly number[]): MachinePrimitives {
  return {
    cpus: cpus.length > 1 ? null : ONE_CPU,
    bpf: bpfRefusal(rights),
    'kernel-thread': threadRefusal(rights),
    ipvs: ipvsRefusal(rights),
    netkit: rights.netkit ? null : 'This kernel has no netkit, which Linux has from 6.7 on (CONFIG_NETKIT).',
    vxlan: rights.vxlan ? null : 'This kernel has no vxlan (CONFIG_VXLAN).',
    geneve: rights.geneve ? null : 'This kernel has no geneve (CONFIG_GENEVE).',
    tun: tunRefusal(rights),
    kernels: 'This machine runs the kernel that it has booted: choose the counted machine.',
  }
}
