/**
 * Two hosts that ssh reaches, and the network between them, as one machine and its topology: pods on each host, with
 * macvlan devices on the network card. The card's packet sizes are all that changes on a host, if the topology sets them.
 */
import { LabError } from '@expresslane/shared/base/errors'
import { formatCount } from '@expresslane/shared/base/units'
import { LEGACY_MAX_SIZE, type Link, type Reading } from '@expresslane/shared/testbed/reading'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { z } from 'zod'
import { cardArgvs, cardWords } from '../../tools/ethtool.ts'
import { linkShowArgv, parseLinks } from '../../tools/ip-link.ts'
import { readOutput } from '../../tools/read-output.ts'
import { attempt, failed, passed } from '../check.ts'
import type { Entrance, Machine, NamespaceHolder } from '../machine/machine.ts'
import type { HostCard, Topology } from '../topology.ts'
import { RESTORE, type HostOptions } from './connection.ts'
import { createSshMachine, output } from './machine.ts'

export interface CardOptions extends HostOptions {
  /** The network card; null for the card with the address that ssh connects to. */
  readonly card: string | null
}

/** A host with its network card. */
interface Site extends HostCard {
  readonly machine: Machine
}

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

/** True if the topology sets the packet sizes of the cards. */
function setsSizes({ settable }: Topology): boolean {
  return settable.includes('packet-limit')
}

/** Names the host's network, and leaves the present sizes of a card that gets others to the shell that outlives the agent. */
async function prepare(site: Site, topology: Topology, signal: AbortSignal): Promise<void> {
  const { host, machine, card } = site
  await output(['ip', 'netns', 'attach', host, '1'], machine, signal)
  if (!setsSizes(topology)) return
  const { gsoMaxSize, groMaxSize, gsoIpv4MaxSize, groIpv4MaxSize } = await readCard(site, signal)
  const sizes = Object.entries({
    gso_max_size: gsoMaxSize,
    gro_max_size: groMaxSize,
    gso_ipv4_max_size: gsoIpv4MaxSize,
    gro_ipv4_max_size: groIpv4MaxSize,
  }).flatMap(([attribute, size]) => (size === null ? [] : [attribute, `${size}`]))
  await output(['tee', RESTORE], machine, signal, `link set dev ${card} ${sizes.join(' ')}\n`)
}

/** Shows the driver, the offloads, the ring and the largest packet of a card. */
async function checksOf(
  { host, machine, card }: Site,
  topology: Topology,
  path: readonly Reading[],
  signal: AbortSignal,
): Promise<Check> {
  const shown = cardArgvs(card).map((argv) => attempt(output(argv, machine, signal), signal))
  const words = (await Promise.all(shown)).map((one) => (one instanceof LabError ? '' : one))
  const link = path.find(({ where, device }) => where === host && device === card)
  const most = link?.tsoMaxSize ?? null
  const size = most === null ? 'tso_max_size unknown' : `tso_max_size ${formatCount(most)}`
  const seen = `${card}: ${size}, MTU ${formatCount(link?.mtu ?? 0)}, ${cardWords(words)}`
  const id = `card-${host}`
  if (!setsSizes(topology)) return passed(id, `The network card of ${machine.name} can be read`, seen)
  const title = `The network card of ${machine.name} sends packets beyond 64 KiB`
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

/** Both hosts are held, or none is. */
async function holdBoth(
  sites: readonly [Site, Site],
  topology: Topology,
  signal: AbortSignal,
): Promise<NamespaceHolder> {
  const { hosts } = topology
  const close = async (): Promise<void> => void (await Promise.all(sites.map(({ machine }) => machine.close())))
  try {
    const [near, far] = sites.map(({ machine }) => machine.hold(signal)) as [
      Promise<NamespaceHolder>,
      Promise<NamespaceHolder>,
    ]
    const holders = await Promise.all([near, far])
    await Promise.all(sites.map((site) => prepare(site, topology, signal)))
    const gone = AbortSignal.any(holders.map((one) => one.gone))
    // The other host's card is restored, too.
    gone.addEventListener('abort', () => void close(), { once: true })
    const outside: Entrance = {
      enter: (argv) => [...argv],
      check: async (until) => void (await Promise.all(holders.map((one) => one.check(until)))),
    }
    const inside = (namespace: string): Entrance => ({ ...outside, namespace })
    const terminal: NamespaceHolder['terminal'] = (start) =>
      holders[hosts?.of(start.namespace) === sites[1].host ? 1 : 0].terminal(start)
    // Rules that preflight tries must not be the host's.
    const enter = (argv: readonly string[]): string[] => ['unshare', '--net', ...argv]
    return { ...outside, enter, inside, watching: inside, withServerRights: inside, outside, terminal, gone, close }
  } catch (error) {
    await close()
    throw error
  }
}

const NOT_OWN = `Two hosts over ssh share a network that is not the labs’ own. ${OTHERS}`

/** The rest is that of the first host, where a node forwards. The network between the hosts is nobody's own. */
function primitivesOf({ primitives }: Machine): Machine['primitives'] {
  return {
    ...primitives,
    'pod-network': NOT_OWN,
    mtu: NOT_OWN,
    pages: NOT_OWN,
    cpus: `The scheduler of each host places its processes. ${OTHERS}`,
    'kernel-thread': `Kernel threads of two hosts are not chosen. ${OTHERS}`,
    xdp: `A device on the network card of a host (macvlan) has no XDP in its driver. ${OTHERS}`,
  }
}

function machineOf(near: Site, far: Site, topology: Topology): Machine {
  const [first, second, sites] = [near.machine, far.machine, [near, far] as const]
  const { hosts } = topology
  const of = (namespace = ''): Machine => (hosts?.of(namespace) === far.host ? second : first)
  const both = async (work: (machine: Machine) => Promise<unknown>): Promise<void> =>
    void (await Promise.all([work(first), work(second)]))
  return {
    ...first,
    name: `${first.name} and ${second.name}`,
    parts: [first, second],
    resources: { measuring: [...first.resources.measuring, ...second.resources.measuring], changing: [] },
    cpus: [],
    primitives: primitivesOf(first),
    start: (process) => of(process.namespace).start(process),
    findProgram: async (program) => ((await second.findProgram(program)) === null ? null : first.findProgram(program)),
    checks: (path, until) => Promise.all(sites.map((site) => checksOf(site, topology, path, until))),
    wake: (until) => both((machine) => machine.wake(until)),
    hold: (until) => holdBoth(sites, topology, until),
    close: () => both((machine) => machine.close()),
  }
}

/**
 * Connects to both hosts, as root: only root may use a network card.
 *
 * @param base a topology that can be on two hosts
 * @throws LabError as {@link createSshMachine}; `testbed_unavailable` for a card that is not known, and for another
 *   topology; `signal.reason`
 */
export async function connectTwoHosts(
  options: readonly [CardOptions, CardOptions],
  base: Topology,
  signal: AbortSignal,
): Promise<{ readonly machine: Machine; readonly topology: Topology }> {
  if (base.onTwoHosts === undefined) {
    throw new LabError(
      'testbed_unavailable',
      'This lab does not run on two hosts.',
      'Start the server with one host: --ssh HOST.',
    )
  }
  const names = options.map(({ destination }) => nameOf(destination))
  const taken = new Set([...names, ...base.pods.map(({ pod }) => pod.name)])
  const isClear = taken.size === names.length + base.pods.length
  const inItsNetwork = setsSizes(base) ? 'alone' : 'shared'
  const opened: Machine[] = []
  async function siteOf(one: CardOptions, at: number): Promise<Site> {
    const machine = await createSshMachine({ ...one, inItsNetwork }, signal)
    opened.push(machine)
    const card = one.card ?? (await connectedCard(machine, signal))
    await readCard({ machine, card }, signal)
    return { machine, card, host: isClear ? (names[at] ?? '') : `host${at + 1}` }
  }
  const both = [siteOf(options[0], 0), siteOf(options[1], 1)] as const
  try {
    const [near, far] = await Promise.all(both)
    const topology = base.onTwoHosts(near, far)
    return { machine: machineOf(near, far, topology), topology }
  } catch (error) {
    await Promise.allSettled(both)
    await Promise.all(opened.map((machine) => machine.close()))
    throw error
  }
}
