/** Checks of the datapath that BIG TCP needs, as the agents report it. */
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import type { Check, ClusterNode } from '@expresslane/shared/testbed/testbed'
import { isAtLeast } from '../../../tools/versions.ts'
import { failed, passed, warning } from '../../../testbeds/check.ts'
import { byValue, type AgentView } from '../../../testbeds/cluster-view.ts'
import { BIG_TCP } from './versions.ts'

/** Changes values of Cilium's chart; the agents read them at their next start. */
function helmSet(...values: string[]): string {
  return `helm -n kube-system upgrade cilium cilium/cilium --reuse-values --set ${values.join(',')} && kubectl -n kube-system rollout restart daemonset/cilium`
}

type Says = (agent: AgentView) => string | null

interface Rule {
  readonly id: string
  readonly title: string
  readonly says: Says
  readonly holds: (value: string, agent: AgentView) => boolean
  /** Whether it blocks the lab, or only costs performance. */
  readonly otherwise: 'failed' | 'warning'
  readonly remedy: string
  readonly remedyCommand: string
}

const rules: readonly Rule[] = [
  {
    id: 'datapath-mode',
    title: 'Pods have veth devices',
    says: ({ datapathMode }) => datapathMode,
    holds: (value) => value === 'veth',
    otherwise: 'failed',
    remedy:
      "With other devices the agent refuses BIG TCP, or (netkit, kernel 6.8 or newer) applies it to new nodes only, so it can't be switched on a running cluster. Use a cluster with veth. This cluster can be measured as it is: one arm on the Bench page, whose recording can be compared with that of a cluster with veth.",
    remedyCommand: helmSet('bpf.datapathMode=veth'),
  },
  {
    id: 'host-routing',
    title: 'eBPF host routing',
    says: ({ hostRouting }) => hostRouting,
    holds: (value) => value === 'BPF',
    otherwise: 'failed',
    remedy:
      'The agent refuses BIG TCP with legacy host routing. eBPF host routing needs kube-proxy replacement and BPF masquerading.',
    remedyCommand: helmSet('bpf.hostLegacyRouting=false', 'kubeProxyReplacement=true', 'bpf.masquerade=true'),
  },
  {
    id: 'kube-proxy-replacement',
    title: 'Cilium replaces kube-proxy',
    says: ({ kubeProxyReplacement }) => kubeProxyReplacement,
    holds: (value) => value === 'True' || value === 'Strict',
    // Where it matters, host routing is legacy, and that check fails.
    otherwise: 'warning',
    remedy: 'eBPF host routing needs this, and BIG TCP needs eBPF host routing.',
    remedyCommand: helmSet('kubeProxyReplacement=true'),
  },
  {
    id: 'masquerade',
    title: 'Masquerading uses BPF, or is off',
    says: ({ masquerading }) => masquerading,
    holds: (value) => value.startsWith('BPF') || value === 'Disabled',
    otherwise: 'warning',
    remedy: 'eBPF host routing needs this, and BIG TCP needs eBPF host routing.',
    remedyCommand: helmSet('bpf.masquerade=true'),
  },
  {
    id: 'encryption',
    title: 'No encryption between nodes',
    says: ({ encryption }) => encryption,
    holds: (value) => value === 'Disabled',
    otherwise: 'failed',
    remedy:
      'These nodes cut packets to the MTU before they encrypt them, so the agent refuses BIG TCP. Use a cluster without encryption, or measure this cluster as it is: one arm on the Bench page. The lab “What encryption costs” shows the price of each part.',
    remedyCommand: 'kubectl -n kube-system exec ds/cilium -c cilium-agent -- cilium-dbg encrypt status',
  },
]

function ruleCheck({ id, title, says, holds, otherwise, ...fix }: Rule, agents: readonly AgentView[]): Check {
  const values = agents.map((agent) => [agent, says(agent)] as const)
  const silent = values.filter(([, value]) => value === null).map(([{ node }]) => node)
  const wrong = values.flatMap(([agent, value]) =>
    value === null || holds(value, agent) ? [] : [[agent.node, value] as const],
  )
  if (wrong.length > 0) {
    const seen = byValue(wrong)
    return otherwise === 'failed' ? failed(id, title, seen, fix, BIG_TCP) : warning(id, title, seen, fix)
  }
  if (silent.length > 0) {
    return warning(id, title, `The agents on ${silent.join(', ')} do not report this.`, {
      remedy: "Check the agent's settings.",
      remedyCommand: 'cilium config view',
    })
  }
  return passed(id, title, byValue(values.map(([{ node }, value]) => [node, value ?? ''])))
}

/** The tunnel of a node, and the largest packet that its kernel sends through the tunnel: `tunnel (vxlan), tso_max_size of cilium_vxlan 65536`. */
function tunnelOf({ routing, tunnels }: AgentView): string {
  const sizes = tunnels.flatMap(({ name, tsoMaxSize }) =>
    tsoMaxSize === null ? [] : [`, tso_max_size of ${name} ${tsoMaxSize}`],
  )
  return `${routing ?? 'unknown'}${sizes.join('')}`
}

/** True if a tunnel of these nodes cuts large packets; false also where its limit is unknown. */
function cutsIn(agents: readonly AgentView[]): boolean {
  return agents.some(({ tunnels }) =>
    tunnels.some(({ tsoMaxSize }) => tsoMaxSize !== null && tsoMaxSize <= LEGACY_MAX_SIZE),
  )
}

/** Native routing; from 1.19 on also a tunnel, if the kernel supports large packets on UDP tunnels. */
function routingCheck(agents: readonly AgentView[]): Check {
  const id = 'routing'
  const title = 'Native routing between nodes'
  const fix = {
    remedy:
      "Before Cilium 1.19 the agent refuses BIG TCP in tunneling mode. Use a cluster with native routing; its nodes need routes to each other's pods.",
    remedyCommand: helmSet('routingMode=native', 'autoDirectNodeRoutes=true', 'ipv4NativeRoutingCIDR=10.244.0.0/16'),
  }
  const known = agents.map((agent) => [agent, agent.routing ?? 'unknown'] as const)
  const tunnelled = known.filter(([, routing]) => routing !== 'native')
  if (tunnelled.length === 0) return passed(id, title, byValue(known.map(([{ node }, value]) => [node, value])))
  const seen = byValue(tunnelled.map(([agent]) => [agent.node, tunnelOf(agent)]))
  const mayBe = tunnelled.every(
    ([{ version, routing }]) => routing === null || isAtLeast(version ?? '', 1, 19) === true,
  )
  return mayBe
    ? warning(id, title, seen, {
        remedy: cutsIn(tunnelled.map(([agent]) => agent))
          ? 'These kernels cut packets beyond 64 KiB before the tunnel: BIG TCP would make requests slower, and the agent refuses it. Kernels whose tunnels report a tso_max_size over 65536 (Linux 7.3) carry such packets whole.'
          : 'Cilium 1.19 and newer support BIG TCP in tunnels if the kernel supports large packets there: tso_max_size of the tunnel is then over 65536. If it is not, the agent refuses BIG TCP, and Expresslane restores the setting.',
        remedyCommand: 'kubectl -n kube-system exec ds/cilium -c cilium-agent -- ip -d -j link show type geneve',
      })
    : failed(id, title, seen, fix, BIG_TCP)
}

/** Cilium sets all devices of a node to the smallest of their maxima: each must support more than 64 KiB. */
function devicesCheck(nodes: readonly ClusterNode[]): Check {
  const id = 'devices'
  const title = "The nodes' devices support large packets"
  const all = nodes.flatMap(({ name, devices }) =>
    devices.map((device) => ({ where: `${name}/${device.name}`, ...device })),
  )
  const small = all.filter(({ tsoMaxSize }) => tsoMaxSize !== null && tsoMaxSize <= LEGACY_MAX_SIZE)
  const without = nodes.filter(({ devices }) => devices.length === 0).map(({ name }) => name)
  const unknown = [...all.filter(({ tsoMaxSize }) => tsoMaxSize === null).map(({ where }) => where), ...without]
  const show = 'kubectl -n kube-system exec ds/cilium -c cilium-agent -- ip -d link'
  if (small.length > 0) {
    return failed(
      id,
      title,
      small.map(({ where, tsoMaxSize }) => `tso_max_size of ${where} is ${tsoMaxSize}`).join('; '),
      {
        remedy: 'The driver does not support BIG TCP. The drivers mlx4, mlx5, ice and veth (which kind uses) do.',
        remedyCommand: show,
      },
      BIG_TCP,
    )
  }
  if (unknown.length > 0) {
    return warning(id, title, `tso_max_size is unknown for ${unknown.join(', ')}.`, {
      remedy: 'The sizes that BIG TCP will set are unknown until it is on. iproute2 6.0 and newer show tso_max_size.',
      remedyCommand: show,
    })
  }
  return passed(id, title, byValue(all.map(({ where, tsoMaxSize }) => [where, `tso_max_size ${tsoMaxSize}`])))
}

/** `ip` of the agents' image: 6.3 or newer shows the IPv4 sizes, older versions do not. */
function ipCheck(agents: readonly AgentView[]): Check {
  const id = 'iproute2'
  const title = 'The agents’ ip command shows the sizes of both families'
  const lacks = agents.filter(({ showsIpv4 }) => showsIpv4 !== true).map(({ node }) => node)
  if (lacks.length === 0) return passed(id, title, 'It shows gso_max_size and gso_ipv4_max_size.')
  return warning(id, title, `gso_ipv4_max_size is missing on ${lacks.join(', ')}.`, {
    remedy:
      "The nodes' IPv4 sizes stay unknown. A Cilium image with iproute2 6.3 or newer shows them. The pods' sizes are shown if the workload's image has iproute2 6.3 or newer.",
    remedyCommand: 'kubectl -n kube-system exec ds/cilium -c cilium-agent -- ip -V',
  })
}

/**
 * @param agents the readable agents of the nodes that accept the pods
 * @param nodes the same nodes
 */
export function datapathChecks(agents: readonly AgentView[], nodes: readonly ClusterNode[]): Check[] {
  const [mode, ...others] = rules.map((rule) => ruleCheck(rule, agents))
  return [...(mode === undefined ? [] : [mode]), routingCheck(agents), ...others, devicesCheck(nodes), ipCheck(agents)]
}
