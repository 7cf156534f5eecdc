/** Puts the tunnel between the nodes of new pods, sets all devices to one size, and reads both back from the kernel. */
import { halves, POD_END, TUNNEL, WIRE, type Half } from '@expresslane/shared/features/tunnel-path/places'
import {
  sizeIn,
  tunnelIn,
  tunnelKind,
  TUNNEL_KIND,
  TUNNEL_SIZE,
  type TunnelKind,
} from '@expresslane/shared/features/tunnel-path/settings'
import { LabError } from '@expresslane/shared/base/errors'
import { minOf } from '@expresslane/shared/measure/extremes'
import { LEGACY_MAX_SIZE, type Link } from '@expresslane/shared/testbed/reading'
import { linkShowArgv, parseLinks, parseNumberedLinks } from '../../tools/ip-link.ts'
import { ipBatchArgv } from '../../tools/ipvs.ts'
import type { Pods, PodSettings, WatchRun } from '../feature.ts'
import { sizeBatches, tunnelBatch } from './commands.ts'

interface End {
  readonly kind: TunnelKind
  /** The tunnel's device; the wire's without a tunnel. */
  readonly link: Link
}

async function readEnd({ nodeRole, node }: Half, { look }: Pick<Pods, 'look'>): Promise<End> {
  const links = parseNumberedLinks(await look(nodeRole, linkShowArgv()))
  const named = (name: string) => links.find(({ link }) => link.device === name)
  const [tunnel, wire] = [named(TUNNEL), named(WIRE)]
  const found = tunnel ?? wire
  if (found !== undefined)
    return { kind: tunnel === undefined ? 'none' : tunnelKind.parse(tunnel.kind), link: found.link }
  throw new LabError(
    'datapath_not_taken',
    `There is neither a tunnel nor a wire on ${node}.`,
    'Deploy again: every deploy makes new nodes and pods.',
  )
}

async function setHalf(half: Half, kind: TunnelKind, size: number, pods: Pods): Promise<void> {
  if (kind !== 'none') await pods.feed(half.nodeRole, { argv: ipBatchArgv, input: tunnelBatch(kind, half) })
  if (size === LEGACY_MAX_SIZE) return
  const { link } = await readEnd(half, pods)
  const { node, pod } = sizeBatches(half, size, kind === 'none' ? null : (link.tsoMaxSize ?? LEGACY_MAX_SIZE))
  await pods.feed(half.nodeRole, { argv: ipBatchArgv, input: node })
  await pods.feed(half.role, { argv: ipBatchArgv, input: pod })
}

/** The smallest limit of a pod's own device. */
async function podSize({ role }: Half, { look }: Pick<Pods, 'look'>): Promise<number> {
  const links = parseLinks(await look(role, linkShowArgv(POD_END)))
  return minOf(links.flatMap(({ gsoMaxSize, gsoIpv4MaxSize }) => [gsoMaxSize ?? 0, gsoIpv4MaxSize ?? 0]))
}

export const podSettings: PodSettings = {
  settings: [TUNNEL_KIND, TUNNEL_SIZE],
  async set(values, pods) {
    const [kind, size] = [tunnelIn(values), sizeIn(values)]
    // One after the other: nothing still runs after an error.
    for (const half of halves) await setHalf(half, kind, size, pods)
  },
  async read(pods) {
    const [own, other] = await Promise.all(halves.map((half) => readEnd(half, pods)))
    const sizes = await Promise.all(halves.map((half) => podSize(half, pods)))
    if (own?.kind !== other?.kind) {
      throw new LabError('datapath_not_taken', 'The two nodes are not alike.', 'Deploy again.')
    }
    return { [TUNNEL_KIND]: own?.kind ?? 'none', [TUNNEL_SIZE]: minOf(sizes) }
  },
}

/** Packets in both directions at the server's end of the tunnel, or of the wire without one. */
async function packets(pods: Pods): Promise<number> {
  const { link } = await readEnd(halves[1], pods)
  return (link.counters?.rxPackets ?? 0) + (link.counters?.txPackets ?? 0)
}

export const watchTunnel: WatchRun = async (pods) => {
  const before = await packets(pods)
  return async () => ({ packetsBetweenNodes: Math.max(0, (await packets(pods)) - before) })
}
