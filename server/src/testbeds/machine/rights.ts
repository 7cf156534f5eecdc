/** The primitives that a machine's kernel and a process's rights there allow, and the reason for each that they lack. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { parseCpuList } from '../../tools/proc.ts'
import type { Primitives } from '@expresslane/shared/testbed/primitive'
import type { MachinePrimitives } from './machine.ts'
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
} from './capabilities.ts'

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

const ONE_CPU = 'Expresslane can use one CPU here, so there is nothing to choose. Give it two CPUs or more.'

const TUN = '/dev/net/tun'
const IPVS = '/proc/net/ip_vs'
const FUNCTIONS = '/proc/kallsyms'
const STATUS = '/proc/self/status'

/** A file's text; null if there is none, or it can't be read. */
export type ReadText = (path: string) => string | null

/** The files that {@link rightsFrom} and {@link cpusFrom} read. Of `/proc/kallsyms` the lines of {@link kernelFunctions} are enough. */
export function rightsFiles(release: string): readonly string[] {
  return [
    STATUS,
    '/proc/self/uid_map',
    '/proc/sys/kernel/osrelease',
    '/proc/sys/kernel/unprivileged_bpf_disabled',
    '/proc/sys/net/ipv4/tcp_allowed_congestion_control',
    '/proc/2/comm',
    IPVS,
    FUNCTIONS,
    ...moduleLists(release),
  ]
}

const moduleLists = (release: string): string[] =>
  ['modules.dep', 'modules.builtin'].map((file) => `/lib/modules/${release}/${file}`)

/** The functions that a kernel has with the parts that labs need. */
export const kernelFunctions: readonly string[] = [
  '__cgroup_bpf_run_filter_sock_addr',
  ...['netkit', 'vxlan', 'geneve'].map((kind) => `${kind}_xmit`),
  ...partNames.flatMap((part) => kernelParts[part].map(([name]) => name)),
]

/** The parts of a kernel that are known from the names of its functions. */
type FromFunctions = Pick<Rights, 'ipvs' | 'netkit' | 'cgroupBpf' | 'vxlan' | 'geneve' | 'parts'>

function functionsFrom(read: ReadText): FromFunctions {
  const all = read(FUNCTIONS) ?? ''
  const has = (name: string): boolean => new RegExp(` ${name}(\\s|$)`, 'm').test(all)
  const modules = moduleLists((read('/proc/sys/kernel/osrelease') ?? '').trim()).map((file) => read(file) ?? '')
  /** Built in or to be loaded. */
  const hasModule = (name: string): boolean => modules.some((list) => list.includes(`/${name}.ko`))
  const hasPart = (part: KernelPart): boolean =>
    kernelParts[part].every(([name, module]) => has(name) || hasModule(module))
  const hasDevice = (kind: string): boolean => has(`${kind}_xmit`) || hasModule(kind)
  return {
    ipvs: read(IPVS) !== null || hasModule('ip_vs'),
    netkit: hasDevice('netkit'),
    cgroupBpf: has('__cgroup_bpf_run_filter_sock_addr'),
    vxlan: hasDevice('vxlan'),
    geneve: hasDevice('geneve'),
    parts: new Set(partNames.filter(hasPart)),
  }
}

/** @param of the user, and whether it may open /dev/net/tun (null where there is none) */
export function rightsFrom(read: ReadText, of: Pick<Rights, 'uid' | 'tun'>, functions = functionsFrom(read)): Rights {
  const trimmed = (path: string): string | null => read(path)?.trim() ?? null
  return {
    ...of,
    ...functions,
    ipvs: functions.ipvs || read(IPVS) !== null,
    status: read(STATUS) ?? '',
    uidMap: trimmed('/proc/self/uid_map') ?? '',
    unprivilegedBpf: trimmed('/proc/sys/kernel/unprivileged_bpf_disabled'),
    congestionControls: trimmed('/proc/sys/net/ipv4/tcp_allowed_congestion_control'),
    kernelThreads: trimmed('/proc/2/comm') === 'kthreadd',
  }
}

/** The CPUs that a process can use, smallest first; empty if the kernel does not list them. */
export function cpusFrom(read: ReadText): number[] {
  const list = /^Cpus_allowed_list:(.*)$/m.exec(read(STATUS) ?? '')?.[1] ?? ''
  return parseCpuList(list).toSorted((a, b) => a - b)
}

function readHere(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // Files of a kernel differ; without a file, its right is unknown.
    return null
  }
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

/** A kernel does not say which devices it has, but it lists its functions: a tenth of a second, so once a process. */
let known: FromFunctions | null = null

/** This process's, on this machine. */
export function readRights(): Rights {
  known ??= functionsFrom(readHere)
  return rightsFrom(readHere, { uid: process.geteuid?.() ?? null, tun: mayOpenTun() }, known)
}

/** The CPUs that this process can use. */
export const ownCpus = (): number[] => cpusFrom(readHere)

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
