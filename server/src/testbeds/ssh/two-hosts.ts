/**
 * Two hosts that ssh reaches, and the network between them, as one machine and its topology: on each host a pod, whose
 * macvlan device is on the network card. The card's packet sizes are all that changes on a host.
 */
import { LabError } from '@expresslane/shared/base/errors'
import { formatCount } from '@expresslane/shared/base/units'
import { LEGACY_MAX_SIZE, type Link, type Reading } from '@expresslane/shared/testbed/reading'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { z } from 'zod'
import { cardArgvs, cardWords } from '../../tools/ethtool.ts'
import { linkShowArgv, parseLinks, sizeAttributes, type Sizes } from '../../tools/ip-link.ts'
import { readOutput } from '../../tools/read-output.ts'
import { attempt, failed, passed } from '../check.ts'
import type { Entrance, Machine, MachinePrimitives, NamespaceHolder } from '../machine/machine.ts'
import type { DevicePlace, PodSite, Topology } from '../topology.ts'
import { RESTORE, type HostOptions } from './connection.ts'
import { createSshMachine, output } from './machine.ts'

export interface CardOptions extends HostOptions {
  /** The network card; null for the card with the address that ssh connects to. */
  readonly card: string | null
}

/** A host with its network card. */
interface Site {
  /** The name of its network's namespace, and of the node. */
  readonly name: string
  readonly machine: Machine
  readonly card: string
}

const POD_DEVICE = 'eth0'

const OTHERS = 'Choose this machine, or start the server with one host.'

/** The host without its user, as far as a namespace's name can have it. */
function nameOf(destination: string): string {
  return destination.replace(/^.*@/, '').replaceAll(/[^A-Za-z0-9.-]/g, '') || 'host'
}

function noCardError(destination: string, why: string, cause?: unknown): LabError {
  return new LabError(
    'testbed_unavailable',
    `The network card of ${destination} is not known: ${why}`,
    `Name it: --ssh ${destination}=eth1, with the name that \`ip link\` shows there.`,
    { cause },
  )
}

const withAddress = z.array(z.object({ ifname: z.string().optional() }))

/** The card with the address of the host's end of the connection: the third word of SSH_CONNECTION (ssh(1)). */
async function connectedCard(machine: Machine, signal: AbortSignal): Promise<string> {
  const environment = (await machine.readText('/proc/self/environ')) ?? ''
  const [, , address] = (/(?:^|\0)SSH_CONNECTION=([^\0]*)/.exec(environment)?.[1] ?? '').split(' ')
  if (address === undefined)
    throw noCardError(machine.name, 'its ssh server does not say to which address it connected.')
  const shown = await output(['ip', '-j', 'address', 'show', 'to', address.replace(/%.*$/, '')], machine, signal)
  const name = readOutput(withAddress, shown, { name: 'The output of `ip address`', remedy: 'Name the card.' })
    .map(({ ifname }) => ifname)
    .find((one) => one !== undefined)
  if (name === undefined || name === 'lo') throw noCardError(machine.name, `no card has the address ${address}.`)
  return name
}

async function readCard({ machine, card }: Pick<Site, 'machine' | 'card'>, signal: AbortSignal): Promise<Link> {
  try {
    const [link] = parseLinks(await output(linkShowArgv(card), machine, signal))
    if (link !== undefined) return link
  } catch (cause) {
    signal.throwIfAborted()
    throw noCardError(machine.name, `${card} can’t be read there.`, cause)
  }
  throw noCardError(machine.name, `there is no ${card}.`)
}

/** Names the host's network, and leaves the present sizes of its card to the shell that outlives the agent. */
async function prepare(site: Site, signal: AbortSignal): Promise<void> {
  const { name, machine, card } = site
  const { gsoMaxSize, groMaxSize, gsoIpv4MaxSize, groIpv4MaxSize } = await readCard(site, signal)
  const sizes = Object.entries({
    gso_max_size: gsoMaxSize,
    gro_max_size: groMaxSize,
    gso_ipv4_max_size: gsoIpv4MaxSize,
    gro_ipv4_max_size: groIpv4MaxSize,
  }).flatMap(([attribute, size]) => (size === null ? [] : [attribute, `${size}`]))
  await output(['ip', 'netns', 'attach', name, '1'], machine, signal)
  await output(['tee', RESTORE], machine, signal, `link set dev ${card} ${sizes.join(' ')}\n`)
}

/** Shows the driver, the offloads, the ring and the largest packet of a card. */
async function checksOf({ name, machine, card }: Site, path: readonly Reading[], signal: AbortSignal): Promise<Check> {
  const shown = cardArgvs(card).map((argv) => attempt(output(argv, machine, signal), signal))
  const words = (await Promise.all(shown)).map((one) => (one instanceof LabError ? '' : one))
  const link = path.find(({ where, device }) => where === name && device === card)
  const most = link?.tsoMaxSize ?? null
  const size = most === null ? 'tso_max_size unknown' : `tso_max_size ${formatCount(most)}`
  const seen = `${card}: ${size}, MTU ${formatCount(link?.mtu ?? 0)}, ${cardWords(words)}`
  const [id, title] = [`card-${name}`, `The network card of ${machine.name} sends packets beyond 64 KiB`]
  return most !== null && most > LEGACY_MAX_SIZE
    ? passed(id, title, seen)
    : failed(
        id,
        title,
        seen,
        { remedy: 'Use a network card whose driver allows larger packets, such as mlx5 or ice.' },
        ['packets-ipv4', 'packets-ipv6', 'packet-limit'],
      )
}

/** @param base the topology whose pods are on the hosts, in the order of the path */
function topologyOf(base: Topology, sites: readonly [Site, Site]): Topology {
  const pods = sites.flatMap(({ name }, at): PodSite[] => {
    const pod = base.pods[at]?.pod
    return pod === undefined ? [] : [{ pod: { ...pod, node: name }, nodeEnd: null }]
  })
  const devices = sites.map(({ name, card }, at): DevicePlace[] => [
    { where: pods[at]?.pod.name ?? '', node: name, device: POD_DEVICE, role: 'pod', native: false },
    { where: name, node: name, device: card, role: 'node', native: true },
  ])
  const [near = [], far = []] = devices
  return {
    ...base,
    path: 'pod - network card - network card - pod',
    nodes: sites.map(({ name }) => name),
    hosts: sites.map(({ name }) => name),
    devices: [...near, ...far.toReversed()],
    pods,
    settable: ['packets-ipv4', 'packets-ipv6', 'packet-limit'],
    standing: null,
    podsBatches: () =>
      sites.map(({ name, card }, at) => ({
        namespace: name,
        commands: [
          `netns add ${pods[at]?.pod.name}`,
          `link add link ${card} name ${POD_DEVICE} netns ${pods[at]?.pod.name} type macvlan mode bridge`,
        ],
      })),
    podBatches: (sizes: Sizes) =>
      pods.map(({ pod: { name, addresses } }) => ({
        namespace: name,
        commands: [
          'link set lo up',
          `link set ${POD_DEVICE} ${sizeAttributes(sizes).join(' ')} up`,
          // Both are in one network: no route, and no address of a host, is needed.
          `address add ${addresses.ipv4}/16 dev ${POD_DEVICE}`,
          `address add ${addresses.ipv6}/32 dev ${POD_DEVICE} nodad`,
        ],
      })),
  }
}

/** Both hosts are held, or none is. */
async function holdBoth(sites: readonly Site[], signal: AbortSignal): Promise<NamespaceHolder> {
  const close = async (): Promise<void> => void (await Promise.all(sites.map(({ machine }) => machine.close())))
  try {
    const holders = await Promise.all(sites.map(({ machine }) => machine.hold(signal)))
    await Promise.all(sites.map((site) => prepare(site, signal)))
    const gone = AbortSignal.any(holders.map((one) => one.gone))
    // The other host's card is restored, too.
    gone.addEventListener('abort', () => void close(), { once: true })
    const outside: Entrance = {
      enter: (argv) => [...argv],
      check: async (until) => void (await Promise.all(holders.map((one) => one.check(until)))),
    }
    const inside = (namespace: string): Entrance => ({ ...outside, namespace })
    return { ...outside, inside, watching: inside, withServerRights: inside, outside, gone, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Their CPUs and kernels differ, and their networks are not the labs' own. */
function primitivesOf({ primitives }: Machine): MachinePrimitives {
  const lacking: Record<string, string> = Object.fromEntries(
    Object.keys(primitives).map((one) => [one, `Two hosts over ssh do not have it. ${OTHERS}`]),
  )
  return { ...primitives, ...lacking }
}

/**
 * Connects to both hosts, as root: only root may change a network card.
 *
 * @param base as of {@link topologyOf}
 * @throws LabError as {@link createSshMachine}; `testbed_unavailable` for a card that is not known; `signal.reason`
 */
export async function connectTwoHosts(
  [near, far]: readonly [CardOptions, CardOptions],
  base: Topology,
  signal: AbortSignal,
): Promise<{ readonly machine: Machine; readonly topology: Topology }> {
  const names = [near, far].map(({ destination }) => nameOf(destination))
  const distinct = new Set([...names, ...base.pods.map(({ pod }) => pod.name)]).size === names.length + base.pods.length
  const opened: Machine[] = []
  async function siteOf(options: CardOptions, at: number): Promise<Site> {
    const machine = await createSshMachine({ ...options, inItsNetwork: true }, signal)
    opened.push(machine)
    const site = { machine, card: options.card ?? (await connectedCard(machine, signal)) }
    await readCard(site, signal)
    return { ...site, name: distinct ? (names[at] ?? '') : `host${at + 1}` }
  }
  const found = await Promise.allSettled([siteOf(near, 0), siteOf(far, 1)])
  const [one, other] = found
  if (one?.status !== 'fulfilled' || other?.status !== 'fulfilled') {
    await Promise.all(opened.map((machine) => machine.close()))
    throw found.find((each) => each.status === 'rejected')?.reason
  }
  const sites = [one.value, other.value] as const
  const topology = topologyOf(base, sites)
  const [first, second] = sites.map(({ machine }) => machine) as [Machine, Machine]
  const of = (namespace: string | undefined): Machine => {
    const node = topology.pods.find(({ pod }) => pod.name === namespace)?.pod.node ?? namespace
    return node === sites[1].name ? second : first
  }
  const machine: Machine = {
    ...first,
    name: `${first.name} and ${second.name}`,
    parts: [first, second],
    resources: { measuring: [...first.resources.measuring, ...second.resources.measuring], changing: [] },
    cpus: [],
    primitives: primitivesOf(first),
    start: (process) => of(process.namespace).start(process),
    findProgram: async (program) => ((await second.findProgram(program)) === null ? null : first.findProgram(program)),
    checks: (path, until) => Promise.all(sites.map((site) => checksOf(site, path, until))),
    wake: async (until) => void (await Promise.all([first.wake(until), second.wake(until)])),
    hold: (until) => holdBoth(sites, until),
    close: async () => void (await Promise.all([first.close(), second.close()])),
  }
  return { machine, topology }
}
