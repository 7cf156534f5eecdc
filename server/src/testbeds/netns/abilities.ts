/** What this machine's kernel and this process's rights allow, and the reason for what they do not. */
import { existsSync, readFileSync } from 'node:fs'
import type { Capability } from '@expresslane/shared/testbed/testbed'
import { LabError } from '@expresslane/shared/wire/errors'
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

/** What decides about the abilities. */
export interface Machine extends Pick<Self, 'uid' | 'status' | 'uidMap'> {
  /** `kernel.unprivileged_bpf_disabled`; null if the kernel has no such setting. */
  readonly unprivilegedBpf: string | null
  /** Whether the kernel has IPVS, loaded or as a module. */
  readonly ipvs: boolean
  /** Whether /proc shows the kernel's own threads, as it does outside of containers. */
  readonly kernelThreads: boolean
}

const ON_A_CLUSTER = 'It switches a setting of Cilium: choose a cluster.'

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1').trim()
  } catch {
    // Files of a kernel differ; without one, what it would show is unknown.
    return null
  }
}

function hasIpvs(): boolean {
  if (existsSync('/proc/net/ip_vs')) return true
  const modules = `/lib/modules/${read('/proc/sys/kernel/osrelease') ?? ''}`
  return ['modules.dep', 'modules.builtin'].some((file) => read(`${modules}/${file}`)?.includes('/ip_vs.ko') === true)
}

export function thisMachine(): Machine {
  return {
    uid: process.geteuid?.() ?? null,
    status: read('/proc/self/status') ?? '',
    uidMap: read('/proc/self/uid_map') ?? '',
    unprivilegedBpf: read('/proc/sys/kernel/unprivileged_bpf_disabled'),
    ipvs: hasIpvs(),
    kernelThreads: read('/proc/2/comm') === 'kthreadd',
  }
}

/**
 * Why this process can't load BPF programs for network devices; null if it can. Without root they are refused whatever
 * `kernel.unprivileged_bpf_disabled` says (bpf_prog_load in kernel/bpf/syscall.c).
 */
export function bpfRefusal({ uid, status, uidMap, unprivilegedBpf }: Machine): string | null {
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

/** Why no kernel thread can get a CPU of its own here; null if one can (sched_setaffinity(2)). */
export function threadRefusal({ uid, status, uidMap, kernelThreads }: Machine, cpus: readonly number[]): string | null {
  if (cpus.length < 2) {
    return 'The thread that forwards needs a CPU of its own, and Expresslane can use one here. Give it two CPUs or more.'
  }
  if (uid !== 0 || !isHostUserNamespace(uidMap)) return 'Only root may choose the CPU of a kernel thread.'
  if (!hasCapability(status, CAP_SYS_NICE)) {
    return 'Choosing the CPU of a kernel thread needs the capability CAP_SYS_NICE, which root does not have here.'
  }
  return kernelThreads ? null : 'The kernel’s threads can’t be seen from this container.'
}

export function bpfError(reason: string): LabError {
  return new LabError('testbed_unavailable', reason, 'Start Expresslane as root, or choose other arms.')
}

export interface Abilities {
  readonly capabilities: ReadonlySet<Capability>
  readonly lacks: ReadonlyMap<Capability, string>
}

/** The capabilities of this machine: all its topologies have them together. */
export function abilitiesOf(machine: Machine, cpus: readonly number[]): Abilities {
  const bpf = bpfRefusal(machine)
  const ipvs = machine.ipvs ? 'Expresslane has no rules for ip_vs yet.' : 'This kernel has no ip_vs.'
  const decided: readonly (readonly [capability: Capability, reason: string | null])[] = [
    ['cpu-placement', cpus.length > 1 ? null : ONE_CPU],
    ['nodeport-xdp', bpf],
    ['nodeport-tc', bpf],
    ['nodeport-nftables', null],
    ['nodeport-iptables', null],
    ['nodeport-ipvs', ipvs],
    ['nodeport-thread', threadRefusal(machine, cpus)],
    ['lb-acceleration', ON_A_CLUSTER],
    ['outside-client', 'Its client runs on a machine outside of the cluster.'],
  ]
  return {
    capabilities: new Set([
      'big-tcp-ipv4',
      'big-tcp-ipv6',
      'size-limit',
      'pod-mtu',
      'iperf3',
      'capture',
      'quick-switch',
      ...decided.flatMap(([capability, reason]) => (reason === null ? [capability] : [])),
    ]),
    lacks: new Map(decided.flatMap(([capability, reason]) => (reason === null ? [] : [[capability, reason] as const]))),
  }
}
