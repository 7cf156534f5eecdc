/**
 * The abilities of testbeds that features need. A testbed says for each primitive whether it has it, or why not; a
 * feature says which primitives its settings and probes need (`features/capabilities.ts`). No primitive names a
 * feature. Pure.
 */
import type { Settings } from '../base/settings.ts'

export const primitives = [
  /** The devices, routes and rules of the pods' network are made by the lab's commands. */
  'pod-network',
  /** A node between a client and a backend: its rules and programs are the lab's commands. */
  'forwarding-node',
  /** The largest packet of the path's devices, by family: the bytes that it may grow to; null for the usual 64 KiB. */
  'packets-ipv4',
  'packets-ipv6',
  /** Exactly so many bytes for the families whose packets may grow; null for the devices' own limit. */
  'packet-limit',
  /** The MTU of the pods in bytes; null for the default. */
  'mtu',
  /** The CPUs of commands (`cpuPlacement`); null for the default. */
  'cpus',
  /** The release of the kernel that boots; null for the default. */
  'kernels',
  /** A CPU and a priority for a kernel thread. */
  'kernel-thread',
  /** BPF programs for network devices. */
  'bpf',
  /** BPF programs run in the drivers of the pods' devices. */
  'xdp',
  /** BPF programs for the sockets of a cgroup. */
  'cgroup-bpf',
  'ipvs',
  'netkit',
  /** A token bucket for the packets that a device receives (tbf behind an ifb device). */
  'tbf',
  /** Packets above a rate are dropped (act_police). */
  'police',
  /** Packets wait for their departure times (fq). */
  'fq',
  /** Delay, loss and a rate (netem). */
  'netem',
  /** A pod chooses its TCP's congestion control: CUBIC or BBR. */
  'congestion-control',
  /** Devices of tunnels between nodes. */
  'vxlan',
  'geneve',
  'wireguard',
  /** IPsec with AES-GCM, on a device of its own (xfrm). */
  'esp',
  /** TUN devices. */
  'tun',
  'nftables',
  'iptables',
  /** Name servers that are asked, and pages that are opened. */
  'pages',
  'iperf3',
  /** Packets are captured on nodes. */
  'capture',
  /** Switching takes less time than a measurement. */
  'quick-switch',
  /** Commands run on a machine outside of the cluster. */
  'outside-client',
  /** The nodes run Cilium. */
  'cilium',
  /** Keys of Cilium's ConfigMap are set, each as `cilium-config/KEY`; the agents restart, and are read back. */
  'cilium-config',
  /** Instructions by function, of a process and all that it causes. */
  'profile',
] as const
export type Primitive = (typeof primitives)[number]

/** Null for a primitive that a testbed or a machine has; else why it lacks it, in a sentence for people. */
export type Primitives<Of extends Primitive = Primitive> = Readonly<Record<Of, string | null>>

/** The values of primitives that have a value, as a testbed sets them: by {@link Primitive}, or `cilium-config/KEY`. */
export type Values = Settings

/** The primitives of a testbed that has all of them. */
export const everyPrimitive = Object.fromEntries(primitives.map((one) => [one, null])) as Record<Primitive, null>
