/** Bugs that affect a lab on some kernels and Cilium versions, each with its issue. */
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import type { Check, ClusterNode } from '@expresslane/shared/testbed/testbed'
import { passed, warning } from '../../../testbeds/check.ts'

type Version = readonly [major: number, minor: number, patch: number]

/** `6.8.0-90-generic`, `1.15.19`, `6.18-rc1`; null if it does not start with numbers. */
function toVersion(text: string): Version | null {
  const found = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(text)
  return found === null ? null : [Number(found[1]), Number(found[2]), Number(found[3] ?? 0)]
}

/** Is `from` <= version < `to`? An unknown version is in no window. */
function within(text: string | null, from: Version, to: Version): boolean {
  const version = text === null ? null : toVersion(text)
  if (version === null) return false
  const order = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
  return order(version, from) >= 0 && order(version, to) < 0
}

/**
 * Kernels whose `gso_features_check` compares IPv4 packets with the IPv6 limit: commit 24ab059d2ebd came with 6.7 and
 * with 6.6.9; its fix e609c959a939 with 6.12, and with 6.11.3, 6.10.14 and 6.6.55.
 */
const IPV4_CUT: readonly (readonly [Version, Version])[] = [
  [
    [6, 6, 9],
    [6, 6, 55],
  ],
  [
    [6, 7, 0],
    [6, 10, 14],
  ],
  [
    [6, 11, 0],
    [6, 11, 3],
  ],
]

/** The conditions of the bugs besides the facts. */
export interface BugContext {
  readonly routing: string | null
  /** IPv6 BIG TCP is on in the ConfigMap. */
  readonly ipv6On: boolean
  /** `kind-worker/cilium_vxlan`: tunnel devices, which some features need also with native routing. */
  readonly tunnels: readonly string[]
}

function named(nodes: readonly ClusterNode[]): string {
  return nodes.map(({ name }) => name).join(', ')
}

function issue(number: number): string {
  return `https://github.com/cilium/cilium/issues/${number}`
}

function ipv4Alone(nodes: readonly ClusterNode[], { ipv6On }: BugContext): Check | null {
  const hit = nodes.filter(({ kernel }) => IPV4_CUT.some(([from, to]) => within(kernel, from, to)))
  const [first] = hit
  if (first === undefined || ipv6On) return null
  return warning(
    'cilium-32942',
    'IPv4 BIG TCP works without IPv6 BIG TCP',
    `Linux ${first.kernel} on ${named(hit)} splits IPv4 packets at the IPv6 limit, unless the distribution has backported fix e609c959a939.`,
    {
      remedy: `While IPv6 BIG TCP is off, IPv4 BIG TCP shows its size but has no effect: packets per request stay at 2. Turn IPv6 BIG TCP on as well, or boot 6.6.55, 6.10.14, 6.11.3, 6.12 or newer. ${issue(32_942)}`,
      remedyCommand: 'cilium config set enable-ipv6-big-tcp true',
    },
  )
}

function tunnelDevice(nodes: readonly ClusterNode[], { routing, tunnels }: BugContext): Check | null {
  const hit = nodes.filter(({ cilium }) => within(cilium, [1, 19, 0], [1, 20, 0]))
  const [first] = hit
  if (first === undefined || tunnels.length === 0 || routing !== 'native') return null
  return warning(
    'cilium-44198',
    'BIG TCP does not change tunnel devices in native routing',
    `Cilium ${first.cilium ?? ''} has ${tunnels.join(', ')}, which egress gateway and DSR with Geneve use.`,
    {
      remedy: `With BIG TCP on, the agents can fail with "setting up GSO/GRO on VXLAN netdev: invalid argument" and load no datapath; Expresslane then restores the setting. Upgrade to a release with cilium#46710, or turn off the feature that uses the tunnel. ${issue(44_198)} ${issue(46_337)}`,
      remedyCommand: 'kubectl -n kube-system get configmap cilium-config -o yaml | grep -E "egress-gateway|dsr"',
    },
  )
}

function virtualDevice(nodes: readonly ClusterNode[]): Check | null {
  const hit = nodes.flatMap(({ name, devices }) => {
    const small = devices.filter(({ tsoMaxSize }) => tsoMaxSize !== null && tsoMaxSize <= LEGACY_MAX_SIZE)
    return small.length === devices.length ? [] : small.map((one) => `${name}/${one.name} (${one.tsoMaxSize})`)
  })
  if (hit.length === 0) return null
  return warning(
    'cilium-24539',
    'No virtual device limits the native devices',
    `tso_max_size of ${hit.join(', ')} is at most ${LEGACY_MAX_SIZE}.`,
    {
      remedy: `Cilium sets all native devices to the size of the smallest, so one virtual device, such as a dummy with the node's address, keeps BIG TCP off for all. List the real devices in Cilium's settings. ${issue(24_539)}`,
      remedyCommand: "helm -n kube-system upgrade cilium cilium/cilium --reuse-values --set devices='{eth0}'",
    },
  )
}

/** A warning for each known bug of these nodes; one passed check if there is none; nothing without nodes. */
export function knownBugChecks(nodes: readonly ClusterNode[], context: BugContext): Check[] {
  if (nodes.length === 0) return []
  const found = [ipv4Alone(nodes, context), tunnelDevice(nodes, context), virtualDevice(nodes)].filter(
    (check) => check !== null,
  )
  if (found.length > 0) return found
  const pairs = new Set(
    nodes.map(({ kernel, cilium }) => `Linux ${kernel} with Cilium ${cilium ?? 'of unknown version'}`),
  )
  return [passed('known-bugs', 'No known bug of this kernel and Cilium', [...pairs].join('; '))]
}
