/** Puts the tunnel between the nodes of new pods, sets all devices to one size, and reads both back from the kernel. */
import {
  halves,
  MTU,
  POD_END,
  TUNNEL,
  TUNNEL_ROOM,
  WIRE,
  type Half,
} from '@expresslane/shared/features/tunnel-path/places'
import {
  isEncrypted,
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
import { linkShowArgv, parseNumberedLinks } from '../../tools/ip-link.ts'
import { ipBatchArgv } from '../../tools/ipvs.ts'
import type { Pods, PodSettings, WatchRun } from '../feature.ts'
import { sizeBatches, tunnelBatch } from './commands.ts'
import { encryptedEnds } from './encryption.ts'

interface End {
  readonly kind: TunnelKind
  readonly wire: Link
  /** Null without a tunnel. */
  readonly tunnel: Link | null
}

async function readEnd({ nodeRole, node }: Half, { look }: Pick<Pods, 'look'>): Promise<End> {
  const links = parseNumberedLinks(await look(nodeRole, linkShowArgv()))
  const named = (name: string) => links.find(({ link }) => link.device === name)
  const [tunnel, wire] = [named(TUNNEL), named(WIRE)]
  if (wire !== undefined) {
    const kind = tunnel === undefined ? 'none' : tunnelKind.parse(tunnel.kind === 'xfrm' ? 'esp' : tunnel.kind)
    return { kind, wire: wire.link, tunnel: tunnel?.link ?? null }
  }
  throw new LabError(
    'datapath_not_taken',
    `There is no wire on ${node}.`,
    'Deploy again: every deploy makes new nodes and pods.',
  )
}

async function setHalf(half: Half, kind: TunnelKind, size: number, pods: Pods): Promise<void> {
  if (kind !== 'none') {
    const { wire } = await readEnd(half, pods)
    const input = tunnelBatch(kind, half, wire.mtu - TUNNEL_ROOM)
    await pods.feed(half.nodeRole, { argv: ipBatchArgv, input })
  }
  if (size === LEGACY_MAX_SIZE) return
  const { tunnel } = await readEnd(half, pods)
  const { node, pod } = sizeBatches(half, size, tunnel === null ? null : (tunnel.tsoMaxSize ?? LEGACY_MAX_SIZE))
  if (node !== '') await pods.feed(half.nodeRole, { argv: ipBatchArgv, input: node })
  await pods.feed(half.role, { argv: ipBatchArgv, input: pod })
}

/** The smallest limit of a pod's own device. */
async function podSize({ role }: Half, { look }: Pick<Pods, 'look'>): Promise<number> {
  const links = parseNumberedLinks(await look(role, linkShowArgv(POD_END)))
  return minOf(
    links.flatMap(({ link, gsoMaxSegs }) =>
      gsoMaxSegs === 1 ? [MTU] : [link.gsoMaxSize ?? 0, link.gsoIpv4MaxSize ?? 0],
    ),
  )
}

export const podSettings: PodSettings = {
  settings: [TUNNEL_KIND, TUNNEL_SIZE],
  async set(values, pods) {
    const [kind, size] = [tunnelIn(values), sizeIn(values)]
    // One after the other: nothing still runs after an error.
    for (const half of halves) await setHalf(half, kind, size, pods)
    if (!isEncrypted(kind)) return
    for (const [role, end] of encryptedEnds(kind)) await pods.feed(role, end)
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

interface Received {
  readonly all: number
  /** By their device, which takes nothing that its keys do not open. */
  readonly decrypted: number
}

/** Packets that both nodes have received from the wire. */
async function received(pods: Pods): Promise<Received> {
  let [all, decrypted] = [0, 0]
  for (const { kind, wire, tunnel } of await Promise.all(halves.map((half) => readEnd(half, pods)))) {
    all += wire.counters?.rxPackets ?? 0
    if (isEncrypted(kind)) decrypted += tunnel?.counters?.rxPackets ?? 0
  }
  return { all, decrypted }
}

export const watchTunnel: WatchRun = async (pods) => {
  const before = await received(pods)
  return async () => {
    const after = await received(pods)
    const packetsBetweenNodes = Math.max(0, after.all - before.all)
    return {
      packetsBetweenNodes,
      packetsInPlainText: Math.max(0, packetsBetweenNodes - (after.decrypted - before.decrypted)),
    }
  }
}
