/** Checks of the kernels and of Cilium's version. */
import { familyName } from '@expresslane/shared/base/units'
import type { Capability, Check, ClusterNode } from '@expresslane/shared/testbed/testbed'
import { failed, passed } from '../../../testbeds/check.ts'
import { byValue, type AgentView } from '../../../testbeds/cluster-view.ts'
import { typedLine } from '../../../testbeds/typed.ts'
import { isAtLeast } from '../../../tools/versions.ts'

/** Blocked if the agents refuse BIG TCP. */
export const BIG_TCP: Capability[] = ['big-tcp-ipv6', 'big-tcp-ipv4']

const families = ['ipv6', 'ipv4'] as const

const kernels = {
  ipv6: { major: 5, minor: 19 },
  ipv4: { major: 6, minor: 3 },
} as const

/** BIG TCP came with 5.19 for IPv6 and with 6.3 for IPv4: on every node that accepts the pods. */
export function kernelChecks(nodes: readonly ClusterNode[]): Check[] {
  return families.map((of) => {
    const { major, minor } = kernels[of]
    const id = `kernel-${of}`
    const title = `Kernels for BIG TCP over ${familyName[of]}: ${major}.${minor} or newer`
    const old = nodes.filter(({ kernel }) => isAtLeast(kernel, major, minor) !== true)
    const seen = byValue((old.length > 0 ? old : nodes).map(({ name, kernel }) => [name, kernel]))
    if (old.length === 0) return passed(id, title, seen)
    return failed(
      id,
      title,
      seen,
      {
        remedy: `Boot Linux ${major}.${minor} or newer on these nodes, or cordon them to keep the pods off.`,
        remedyCommand: typedLine(['kubectl', 'cordon', ...old.map(({ name }) => name)]),
      },
      [`big-tcp-${of}`],
    )
  })
}

const versions: readonly { readonly of: string; readonly minor: number; readonly blocks: Capability }[] = [
  { of: 'IPv6', minor: 13, blocks: 'big-tcp-ipv6' },
  { of: 'IPv4', minor: 14, blocks: 'big-tcp-ipv4' },
]

/** Cilium has BIG TCP over IPv6 since 1.13 and over IPv4 since 1.14. @param agents the readable agents */
export function versionChecks(agents: readonly AgentView[]): Check[] {
  return versions.map(({ of, minor, blocks }) => {
    const id = `cilium-${of.toLowerCase()}`
    const title = `Cilium for BIG TCP over ${of}: 1.${minor} or newer`
    const known = agents.map(({ node, version }) => [node, version ?? 'unknown version'] as const)
    const old = known.filter(([, version]) => isAtLeast(version, 1, minor) !== true)
    if (old.length === 0) return passed(id, title, byValue(known))
    return failed(
      id,
      title,
      byValue(old),
      {
        remedy: `Upgrade Cilium to 1.${minor} or newer, one minor version at a time.`,
        remedyCommand: 'cilium upgrade',
      },
      [blocks],
    )
  })
}
