/** Checks of the nodes: that there are two, their kernels, and that pods have addresses of both families. */
import type { V1Node } from '@kubernetes/client-node'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { familyName } from '@expresslane/shared/base/units'
import { failed, passed, warning } from '../../check.ts'
import { typedLine } from '../../typed.ts'
import type { AgentView } from '../../cluster-view.ts'
import { keepsAway, nameOf, podCidr, TAINT } from '../api/nodes.ts'

const families = ['ipv6', 'ipv4'] as const

export function schedulableCheck(nodes: readonly V1Node[]): Check {
  const id = 'nodes'
  const title = 'Two nodes accept the pods'
  const away = nodes.map((node) => [nameOf(node), keepsAway(node)] as const)
  const free = away.filter(([, why]) => why === null).map(([name]) => name)
  const rest = away.flatMap(([name, why]) => (why === null ? [] : [`${name}: ${why}`]))
  if (free.length >= 2) return passed(id, title, free.join(', '))
  const seen = [`${free.length} of ${nodes.length}: ${free.join(', ') || 'none'}`, ...rest].join('; ')
  const fix = {
    remedy:
      'The pods must run on two different nodes, so that their packets cross the network. Make a second node accept pods, or add a node.',
    remedyCommand: freeing(nodes),
  }
  return failed(id, title, seen, fix, 'all')
}

/** The command that makes one more node accept pods; the easiest first. */
function freeing(nodes: readonly V1Node[]): string {
  const away = nodes.map((node) => ({ name: nameOf(node), why: keepsAway(node) ?? '' }))
  const cordoned = away.find(({ why }) => why === 'cordoned')
  if (cordoned !== undefined) return typedLine(['kubectl', 'uncordon', cordoned.name])
  const tainted = away.find(({ why }) => why.startsWith(TAINT))
  return tainted === undefined
    ? 'kubectl get nodes'
    : typedLine(['kubectl', 'taint', 'node', tainted.name, `${tainted.why.slice(TAINT.length)}-`])
}

/** Each family blocks its own labs only. */
export function podAddressChecks(nodes: readonly V1Node[], agents: readonly AgentView[]): Check[] {
  return families.map((of) => {
    const id = `pods-${of}`
    const title = `Pods have ${familyName[of]} addresses`
    const without = nodes.map(nameOf).filter((name) => {
      const gives = agents.find(({ node }) => node === name)?.podFamilies
      const node = nodes.find((one) => nameOf(one) === name)
      return gives === null || gives === undefined ? node === undefined || podCidr(node, of) === null : !gives[of]
    })
    if (without.length === 0) {
      const ranges = nodes.map((node) => podCidr(node, of)).filter((range) => range !== null)
      return passed(id, title, ranges.length > 0 ? ranges.join(', ') : 'Cilium assigns them.')
    }
    return failed(
      id,
      title,
      `None on ${without.join(', ')}.`,
      {
        remedy: `Labs over ${familyName[of]} need a cluster whose pods have ${familyName[of]} addresses. For both families, install Kubernetes and Cilium as dual-stack. Labs over the other family work.`,
        remedyCommand: `kubectl -n kube-system get configmap cilium-config -o yaml | grep -E "enable-${of}|ipam|pod-cidr"`,
      },
      [`packets-${of}`],
    )
  })
}

/** The wire between nodes is not visible from inside; kind uses a bridge, whose default limit is 64 KiB. */
export function wireCheck(nodes: readonly V1Node[]): Check | null {
  if (!nodes.some(({ spec }) => spec?.providerID?.startsWith('kind://') === true)) return null
  return warning(
    'wire',
    'Limit of the bridge between the nodes',
    'These nodes are containers on a bridge, which is not visible from a pod.',
    {
      remedy:
        "A bridge with its default limit of 64 KiB splits large packets in software, so traffic is slower with them than without them. On the machine that runs kind, check the sizes of its bridge. Raise those of the bridge's ports first, then that of the bridge.",
      remedyCommand:
        "ip -d -j link show type bridge | jq -r '.[] | [.ifname, .gso_max_size, .gso_ipv4_max_size] | @tsv'",
    },
  )
}
