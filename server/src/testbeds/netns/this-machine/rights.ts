/** The primitives that this machine's kernel and this process's rights allow, and the reason for each that they lack. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import type { Primitives } from '@expresslane/shared/testbed/primitive'
import type { MachinePrimitives } from '../../machine/machine.ts'
import { ONE_CPU } from './cpus.ts'
import {
  CAP_BPF,
  CAP_NET_ADMIN,
  CAP_PERFMON,
  CAP_SYS_ADMIN,
  CAP_SYS_NICE,
  CAP_SYSLOG,
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
  /** Its parts for traffic control and encryption, loaded or as modules. */
  readonly parts: ReadonlySet<KernelPart>
  /** The congestion controls that any network namespace may choose; null if the kernel does not say. */
  readonly congestionControls: string | null
  /** True if the kernel attaches BPF programs to cgroups (CONFIG_CGROUP_BPF). */
  readonly cgroupBpf: boolean
  readonly vxlan: boolean
  readonly geneve: boolean
  /** Whether this process may open /dev/net/tun; null where there is none. */
  readonly tun: boolean | null
  /** Whether /proc shows the kernel's own threads, as it does outside of containers. */
  readonly kernelThreads: boolean
}

/** For each part, functions that are in the kernel with it, and their modules. */
const kernelParts = {
  tbf: [
    ['tbf_enqueue', 'sch_tbf'],
    ['ifb_xmit', 'ifb'],
  ],
  police: [
    ['tcf_police_act', 'act_police'],
    ['mall_classify', 'cls_matchall'],
  ],
  fq: [['fq_enqueue', 'sch_fq']],
  netem: [['netem_enqueue', 'sch_netem']],
  wireguard: [['wg_xmit', 'wireguard']],
  esp: [
    ['esp_output', 'esp4'],
    ['xfrmi_xmit', 'xfrm_interface'],
    ['crypto_rfc4106_create', 'gcm'],
  ],
} as const
type KernelPart = keyof typeof kernelParts
const partNames = ['tbf', 'police', 'fq', 'netem', 'wireguard', 'esp'] as const satisfies readonly KernelPart[]

function read(path: string): string | null {
  try {
    return readFileSync(path, 'latin1').trim()
  } catch {
    // Files of a kernel differ; without a file, its right is unknown.
    return null
  }
}

/** Whether the kernel has a module, built in or to be loaded. */
function hasModule(name: string): boolean {
  const modules = `/lib/modules/${read('/proc/sys/kernel/osrelease') ?? ''}`
  return ['modules.dep', 'modules.builtin'].some((file) => read(`${modules}/${file}`)?.includes(`/${name}.ko`) === true)
}

function hasIpvs(): boolean {
  return existsSync('/proc/net/ip_vs') || hasModule('ip_vs')
}

const TUN = '/dev/net/tun'

/** The parts of a kernel that are known from the names of its functions. */
type FromFunctions = Pick<Rights, 'netkit' | 'cgroupBpf' | 'vxlan' | 'geneve' | 'parts'>

function readFunctions(): FromFunctions {
  const all = read('/proc/kallsyms') ?? ''
  const has = (name: string): boolean => new RegExp(` ${name}(\\s|$)`, 'm').test(all)
  const hasPart = (part: KernelPart): boolean =>
    kernelParts[part].every(([name, module]) => has(name) || hasModule(module))
  const hasDevice = (kind: string): boolean => has(`${kind}_xmit`) || hasModule(kind)
  return {
    netkit: hasDevice('netkit'),
    cgroupBpf: has('__cgroup_bpf_run_filter_sock_addr'),
    vxlan: hasDevice('vxlan'),
    geneve: hasDevice('geneve'),
    parts: new Set(partNames.filter(hasPart)),
  }
}

/** A kernel does not say which devices it has, but it lists its functions: a tenth of a second, so once a process. */
let known: FromFunctions | null = null

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
    ipvs: hasIpvs(),
    ...(known ??= readFunctions()),
    congestionControls: read('/proc/sys/net/ipv4/tcp_allowed_congestion_control'),
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

const partName: Readonly<Record<KernelPart, string>> = {
  tbf: 'token bucket for what a device receives (sch_tbf, ifb)',
  police: 'policing (act_police, cls_matchall)',
  fq: 'fq, which holds packets until their departure times (sch_fq)',
  netem: 'netem, which makes delay and loss (sch_netem)',
  wireguard: 'WireGuard (CONFIG_WIREGUARD)',
  esp: 'ESP with AES-GCM on a device of its own (esp4, xfrm_interface, gcm)',
}

function partRefusals({ parts: has }: Rights): Primitives<KernelPart> {
  const of = (part: KernelPart): string | null =>
    has.has(part) ? null : `This kernel has no ${partName[part]}: choose the counted machine.`
  const [tbf, police, fq, netem] = [of('tbf'), of('police'), of('fq'), of('netem')]
  return { tbf, police, fq, netem, wireguard: of('wireguard'), esp: of('esp') }
}

/** A network namespace may choose a congestion control that the machine's own allows to everybody (tcp_set_default_congestion_control). */
function congestionRefusal({ congestionControls }: Rights): string | null {
  const has = congestionControls?.split(' ') ?? []
  if (has.includes('cubic') && has.includes('bbr')) return null
  return `A pod can’t choose between CUBIC and BBR here: net.ipv4.tcp_allowed_congestion_control is ${congestionControls ?? 'unknown'}.`
}

/** Samples of all CPUs need the host's own rights (`perf_event_open(2)`), and so do the addresses of the kernel's functions. */
function profileRefusal({ uid, status, uidMap }: Rights): string | null {
  const has = (bit: number): boolean => hasCapability(status, bit, uid === 0 ? 'Eff' : 'Amb')
  const may = (has(CAP_PERFMON) || has(CAP_SYS_ADMIN)) && has(CAP_SYSLOG) && isHostUserNamespace(uidMap)
  return may
    ? null
    : 'Sampling the kernel needs root here, or CAP_PERFMON and CAP_SYSLOG as ambient capabilities. The counted machine needs neither, and counts every instruction.'
}

/** @param cpus the CPUs that this process can use */
export function primitivesOf(rights: Rights, cpus: readonly number[]): MachinePrimitives {
  return {
    cpus: cpus.length > 1 ? null : ONE_CPU,
    bpf: bpfRefusal(rights),
    'cgroup-bpf':
      bpfRefusal(rights) ?? (rights.cgroupBpf ? null : 'This kernel has no BPF for cgroups (CONFIG_CGROUP_BPF).'),
    'kernel-thread': threadRefusal(rights),
    ipvs: ipvsRefusal(rights),
    netkit: rights.netkit ? null : 'This kernel has no netkit, which Linux has from 6.7 on (CONFIG_NETKIT).',
    vxlan: rights.vxlan ? null : 'This kernel has no vxlan (CONFIG_VXLAN).',
    geneve: rights.geneve ? null : 'This kernel has no geneve (CONFIG_GENEVE).',
    tun: tunRefusal(rights),
    ...partRefusals(rights),
    'congestion-control': congestionRefusal(rights),
    profile: profileRefusal(rights),
    kernels: 'This machine runs the kernel that it has booted: choose the counted machine.',
  }
}
