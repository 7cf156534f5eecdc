/** The pods' devices, who forwards, and the counters of each, from the nodes' kernel. */
import { answers, isRoutedByBpf, type PodDevice } from '@expresslane/shared/features/pod-devices/devices'
import { halves, POD_END, WIRE, type Half } from '@expresslane/shared/features/pod-devices/places'
import { LabError } from '@expresslane/shared/base/errors'
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { linkShowArgv, parseLinks } from '../../tools/ip-link.ts'
import { nftCountersArgv, parseNamedCounter } from '../../tools/nft.ts'
import { parsePath, pathArgv, type NodePath } from '../../tools/nodeport/route.ts'
import type { Pods } from '../feature.ts'
import { lookWithRights } from '../look.ts'
import { KNOWN, TRACKING } from './commands.ts'

type Looked = Pick<Pods, 'look'>

export interface NodeRead extends NodePath {
  readonly half: Half
  /** Packets whose connection conntrack knew; null without a rule that tracks. */
  readonly known: number | null
}

/** Where there is no nft nobody has loaded a rule. */
async function readKnown({ nodeRole }: Half, { look }: Looked): Promise<number | null> {
  try {
    return parseNamedCounter(await look(nodeRole, nftCountersArgv), TRACKING, KNOWN)
  } catch (error) {
    if (error instanceof LabError && error.code === 'tool_missing') return null
    throw error
  }
}

/** A node without entries can have rules all the same, so only the reading of the settings always asks for them. */
async function readNode(half: Half, mayHaveRules: (path: NodePath) => boolean, pods: Looked): Promise<NodeRead> {
  const { nodeRole, lxc } = half
  const path = parsePath((await lookWithRights(nodeRole, pathArgv(lxc, WIRE), pods)).trim())
  const asks = path.device !== null && mayHaveRules(path)
  return { ...path, half, known: asks ? await readKnown(half, pods) : null }
}

/** Both nodes, the client's first. @throws LabError of the tools; `signal.reason` */
export function readNodes(pods: Looked): Promise<NodeRead[]> {
  return Promise.all(halves.map((half) => readNode(half, ({ route }) => route === null, pods)))
}

/** The counters of both nodes. Only a node with tracked connections is asked for its rules: each answer takes time. */
export function readCounters(pods: Looked): Promise<NodeRead[]> {
  return Promise.all(halves.map((half) => readNode(half, ({ tracked }) => tracked > 0, pods)))
}

function deviceOf({ device, route, known }: NodeRead): PodDevice {
  if (device === null) return 'host'
  if (device.kind === 'netkit') return route === null ? 'netkit' : 'netkit-bpf'
  if (route !== null) return 'veth-bpf'
  return known === null ? 'veth' : 'veth-conntrack'
}

/** Whether pods on these nodes should reach each other. */
export function shouldAnswer(nodes: readonly NodeRead[]): boolean {
  return nodes.every((one) => answers(deviceOf(one), one.forwarding.ipv4 && one.forwarding.ipv6))
}

/** The device that both pods have, and whether both nodes forward. @throws LabError `datapath_not_taken` if they differ */
export function settingsRead(nodes: readonly NodeRead[]): { readonly device: PodDevice; readonly forwarding: boolean } {
  const [device = 'host', ...more] = new Set(nodes.map(deviceOf))
  const [forwarding = true, ...others] = new Set(nodes.flatMap((one) => Object.values(one.forwarding)))
  if (more.length === 0 && others.length === 0) return { device, forwarding }
  throw new LabError(
    'datapath_not_taken',
    'The two nodes are not alike.',
    'Deploy again: every deploy makes new nodes and pods.',
    { detail: nodes.map(({ half, ...one }) => `${half.node}: ${JSON.stringify(one)}`).join('\n') },
  )
}

function isBig(output: string): boolean {
  const sizes = parseLinks(output).flatMap(({ gsoMaxSize, gsoIpv4MaxSize }) => [gsoMaxSize ?? 0, gsoIpv4MaxSize ?? 0])
  return sizes.length > 0 && sizes.every((size) => size > LEGACY_MAX_SIZE)
}

/** Whether both pods' own devices send packets of more than 64 KiB, over both families. @throws LabError of `ip`; `signal.reason` */
export async function readBigTcp({ look }: Looked): Promise<boolean> {
  const outputs = await Promise.all(halves.map(({ role }) => look(role, linkShowArgv(POD_END))))
  return outputs.every(isBig)
}

/**
 * Requires that the programs are where the arm has them. Without the rights to ask, nobody could attach any.
 *
 * @throws LabError `datapath_not_taken`
 */
export function requirePrograms(device: PodDevice, nodes: readonly NodeRead[]): void {
  const wanted = isRoutedByBpf(device) ? 1 : 0
  for (const { half, device: end, wire } of nodes) {
    for (const [name, at] of [
      [half.lxc, end],
      [WIRE, wire],
    ] as const) {
      const has = at?.programs?.length ?? 0
      if (has === wanted) continue
      throw new LabError(
        'datapath_not_taken',
        `${name} on ${half.node} has ${has} BPF programs, and ${wanted} are expected.`,
        'Deploy again: every deploy makes new nodes and pods.',
      )
    }
  }
}
