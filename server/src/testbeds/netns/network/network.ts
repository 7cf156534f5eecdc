/** Builds the path, reads it, sets its sizes, makes and removes pods: all through `ip`. */
import { minOf } from '@expresslane/shared/measure/extremes'
import type { Values } from '@expresslane/shared/testbed/primitive'
import { LEGACY_MAX_SIZE, type Link, type Reading } from '@expresslane/shared/testbed/reading'
import { bytes, type Bytes, type Family } from '@expresslane/shared/base/units'
import {
  linkShowAllArgv,
  linkShowArgv,
  parseLinks,
  parseLinksByNamespace,
  sizeAttributes,
  type Sizes,
} from '../../../tools/ip-link.ts'
import type { CallContext } from '../../testbed.ts'
import type { Entrance, NamespaceHolder } from '../../machine/machine.ts'
import type { Console } from '../commands/console.ts'
import { inNamespace } from '../commands/places.ts'
import { growthOf, limitOf } from './values.ts'
import { forwardingFiles, mtusFor, type Batch, type Mtus, type Topology } from '../../topology.ts'

/** The place where commands run, and the context of their caller. */
export interface Site {
  readonly console: Console
  readonly entrance: NamespaceHolder
  /** The release of the kernel that has the namespaces. */
  readonly release: string
  readonly topology: Topology
  readonly context: CallContext
}

/** The host that has a namespace; null for the machine that has all of them. */
function hostOf(namespace: string | null, { hosts }: Topology): string | null {
  return namespace === null ? null : (hosts?.of(namespace) ?? null)
}

/** Where `ip` runs to change or show a namespace. `ip -n` would leave the host's view of the named namespaces. */
function ipFor(
  namespace: string | null,
  { entrance, topology }: Pick<Site, 'entrance' | 'topology'>,
): { readonly ip: readonly string[]; readonly at: Entrance } {
  const host = hostOf(namespace, topology)
  return {
    ip: namespace === null || namespace === host ? ['ip'] : ['ip', '-n', namespace],
    at: host === null ? entrance : entrance.inside(host),
  }
}

/** Everything that has named namespaces: the hosts, or null for the machine itself. */
function hostsOf({ hosts }: Topology): readonly (string | null)[] {
  return hosts?.names ?? [null]
}

async function runBatch(site: Site, { namespace, commands }: Batch): Promise<void> {
  const { ip, at } = ipFor(namespace, site)
  await site.console.run(
    {
      where: namespace,
      argv: [...ip, '-batch', '-'],
      input: `${commands.join('\n')}\n`,
      typed: commands.map((command) => [...ip, command].join(' ')).join('\n'),
    },
    site.context,
    at,
  )
}

async function forward({ console, entrance, context }: Site, node: string): Promise<void> {
  const argv = ['tee', ...forwardingFiles]
  const typed = `echo 1 | ${inNamespace(node, argv).join(' ')}`
  await console.run({ where: node, argv, input: '1\n', typed }, context, entrance.inside(node))
}

/** All work at once; when a part fails it waits for the other parts, so nothing still runs after the error. */
async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(work)
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** The largest sizes that all these devices accept: with them the wire never splits a packet. */
function wireSizes(ports: readonly Link[]): Sizes {
  const most = bytes.parse(minOf(ports.map((port) => port.tsoMaxSize ?? LEGACY_MAX_SIZE)))
  return { ipv6: most, ipv4: ports.every((port) => port.gsoIpv4MaxSize !== null) ? most : null }
}

/** Makes nodes and wire in the empty namespaces of a new holder, if the topology has them without pods. */
export async function buildNodesAndWire(site: Site): Promise<void> {
  const { console, context, release, topology } = site
  const { standing } = topology
  if (standing === null) return
  const { wire } = standing
  const mtus = mtusFor(null, release)
  await runBatch(site, standing.nodesAndWire(mtus))
  const { ip, at } = ipFor(wire.namespace, site)
  const show = { where: wire.namespace, argv: [...ip, ...linkShowArgv().slice(1)] }
  const links = parseLinks((await console.run(show, context, at)).join('\n'))
  const ports = links.filter(({ device }) => wire.ports.includes(device))
  await allSettled([
    runBatch(site, wire.batch(wireSizes(ports), mtus)),
    ...standing.nodeBatches.map((batch) => runBatch(site, batch)),
    ...topology.nodes.map((node) => forward(site, node)),
  ])
}

/** Reads every existing device of the path, with its counters, in the path's order. */
export async function readPath(site: Site): Promise<Reading[]> {
  const { console, context, topology } = site
  const shown = hostsOf(topology).map((host) =>
    console.run({ where: host, argv: linkShowAllArgv() }, context, ipFor(host, site).at),
  )
  const found = parseLinksByNamespace((await Promise.all(shown)).flat())
  return topology.devices.flatMap(({ device, ...place }) => {
    const link = found.get(place.where)?.find((one) => one.device === device)
    return link === undefined ? [] : [{ ...link, ...place }]
  })
}

/** The largest size that all native devices accept; null if a device does not report it, or if there is none. */
function nativeMaximum(path: readonly Reading[]): number | null {
  const most = path.filter(({ native }) => native).map(({ tsoMaxSize }) => tsoMaxSize ?? Number.NaN)
  return most.length === 0 || most.some(Number.isNaN) ? null : minOf(most)
}

/**
 * The sizes that these values call for on this path. Null while IPv6's can't be computed (an `ip`
 * before 6.0 does not show `tso_max_size`); IPv4's is null if the tool or the kernel does not know it.
 */
export function sizesFor(values: Values, path: readonly Reading[]): Sizes | null {
  const [limit, most] = [limitOf(values), nativeMaximum(path)]
  const grows = growthOf(values, 'ipv4') !== null || growthOf(values, 'ipv6') !== null
  if (limit === null && most === null && grows) return null
  const size = (family: Family): Bytes => {
    const growth = growthOf(values, family)
    return growth === null ? LEGACY_MAX_SIZE : (limit ?? bytes.parse(Math.min(growth, most ?? growth)))
  }
  const knowsIpv4 = path.filter(({ native }) => native).every((device) => device.gsoIpv4MaxSize !== null)
  return { ipv6: size('ipv6'), ipv4: knowsIpv4 ? size('ipv4') : null }
}

/**
 * Sets the nodes' native devices, and changes their MTU and the wire's if it differs.
 *
 * @param mtu the MTU of nodes and wire; null leaves it as it is
 * @param path as it is now
 */
export async function setNodes(site: Site, sizes: Sizes, mtu: number | null, path: readonly Reading[]): Promise<void> {
  const { console, context, topology } = site
  const natives = path.filter(({ native }) => native)
  const differs = (device: Reading): boolean => mtu !== null && device.mtu !== mtu
  const wire = path.filter((one) => one.role === 'wire' && differs(one))
  const namespace = topology.standing?.wire.namespace
  const work = natives.map(async (one) => {
    const { where, device } = one
    const { ip, at } = ipFor(where, site)
    const attributes = [...(differs(one) ? ['mtu', String(mtu)] : []), ...sizeAttributes(sizes)]
    await console.run({ where, argv: [...ip, 'link', 'set', 'dev', device, ...attributes] }, context, at)
  })
  if (wire.length > 0 && namespace !== undefined) {
    const commands = wire.map(({ device }) => `link set dev ${device} mtu ${mtu}`)
    work.push(runBatch(site, { namespace, commands }))
  }
  await allSettled(work)
}

/** Makes the pods, and their nodes' ends, with these sizes and MTUs. */
export async function makePods(site: Site, sizes: Sizes, mtus: Mtus): Promise<void> {
  const { topology } = site
  await allSettled(topology.podsBatches(mtus).map((batch) => runBatch(site, batch)))
  await allSettled([
    ...topology.podBatches(sizes).map((batch) => runBatch(site, batch)),
    ...topology.forwarders.map((name) => forward(site, name)),
  ])
}

/** Removes all parts of the pods, also after an interrupted deploy. */
export async function removePods(site: Site): Promise<void> {
  const { console, context, topology } = site
  const found = hostsOf(topology).map(async (host) => {
    const argv = ['ip', 'netns', 'list']
    const names = await console.run({ where: host, argv }, context, ipFor(host, site).at)
    const present = new Set(names.map((line) => line.split(' ')[0]))
    const own = topology.pods.filter(({ pod }) => present.has(pod.name) && hostOf(pod.name, topology) === host)
    return { host, commands: own.map(({ pod }) => `netns del ${pod.name}`) }
  })
  const removals = (await Promise.all(found)).filter(({ commands }) => commands.length > 0)
  if (removals.length === 0) return
  const ends = topology.pods.flatMap(({ pod, nodeEnd }) => (nodeEnd === null ? [] : [{ node: pod.node, nodeEnd }]))
  const path = ends.length === 0 ? [] : await readPath(site)
  await allSettled(
    ends
      .filter(({ node, nodeEnd }) => path.some(({ where, device }) => where === node && device === nodeEnd))
      .map(({ node, nodeEnd }) => runBatch(site, { namespace: node, commands: [`link del ${nodeEnd}`] })),
  )
  await allSettled(removals.map(({ host, commands }) => runBatch(site, { namespace: host, commands })))
}
