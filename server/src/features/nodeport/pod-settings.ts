/** Sets up the node of new pods for a hook and a number of services, and reads both back from the kernel. */
import { hookIn, NODEPORT_HOOK, NODEPORT_SERVICES, servicesIn } from '@expresslane/shared/features/nodeport/settings'
import { BACKEND, FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import type { Hook } from '@expresslane/shared/features/nodeport/hooks'
import { family, type Family } from '@expresslane/shared/base/units'
import type { Settings } from '@expresslane/shared/base/settings'
import { podOf, type Placement } from '@expresslane/shared/testbed/placement'
import { assertNever, LabError } from '@expresslane/shared/base/errors'
import { iptablesLoadArgv } from '../../tools/iptables.ts'
import { ipBatchArgv, ipsetLoadArgv, ipvsLoadArgv, ipvsSwitches } from '../../tools/ipvs.ts'
import { addressesArgv, parseAddresses } from '../../tools/ip-address.ts'
import { servicesInput } from '../../tools/nodeport/argv.ts'
import type { Pods, PodSettings } from '../feature.ts'
import { forwardedPorts, holdForwarder, loadIptables, loadNftables } from '../load-services.ts'
import type { ServicePort } from '../service-ports.ts'
import { readHooks } from './hooks.ts'
import { ipvsDevice, ipvsServices, ipvsSets, ipvsTables } from './ipvs-rules.ts'
import { preparePath } from './path.ts'
import { readIpvsServices, readNftServices, readRules, type RulesRead } from './reading.ts'
import { servicePorts } from './services.ts'

/** The node's devices. */
const CLIENT_SIDE = 'eth0'
const BACKEND_SIDE = 'eth1'

/** A note about a node's services, kept as long as its pods. */
interface Loaded {
  readonly loadMs: number
}

const loaded = new WeakMap<Placement, Loaded>()
/** Nothing else changes the rules of a pod's network, so the long lists of nftables and IPVS are read once. */
const counted = new WeakMap<Placement, number>()

/** How long loading the rules or the services of both families took; null if these pods have none. */
export function rulesLoadMs(placement: Placement): number | null {
  return loaded.get(placement)?.loadMs ?? null
}

function addressOf({ placement }: Pods, role: string, of: Family): string {
  const address = podOf(placement, role)?.addresses[of] ?? null
  if (address !== null) return address
  throw new LabError('workload_not_ready', `The ${role} has no ${of} address.`, 'Deploy again.')
}

function portsOf(pods: Pods, services: number, of: Family): ServicePort[] {
  return servicePorts(services, of, addressOf(pods, BACKEND, of))
}

/** The services of both families, and the addresses that the node answers at and masquerades with. */
async function forwardedBy(pods: Pods, services: number): Promise<string> {
  const masquerade = parseAddresses(await pods.look(FORWARDER, addressesArgv(BACKEND_SIDE)))
  const node = family.options.map((of) => addressOf(pods, FORWARDER, of))
  const ports = family.options.flatMap((of) => portsOf(pods, services, of))
  return servicesInput({ node, masquerade, services: forwardedPorts(ports, ({ nodePort }) => nodePort) })
}

async function loadPrograms(hook: 'xdp' | 'tc', pods: Pods, services: number): Promise<void> {
  await holdForwarder(hook, FORWARDER, [CLIENT_SIDE, BACKEND_SIDE], await forwardedBy(pods, services), pods)
}

/** Kernels before 6.11 let only root outside of user namespaces set up virtual services, so that root does it. */
async function loadIpvs(pods: Pods, services: number): Promise<void> {
  const ports = { ipv4: portsOf(pods, services, 'ipv4'), ipv6: portsOf(pods, services, 'ipv6') }
  await pods.feed(FORWARDER, { argv: ipBatchArgv, input: ipvsDevice(ports) })
  for (const of of family.options) {
    await pods.feed(FORWARDER, { argv: ipsetLoadArgv, input: ipvsSets(of, ports[of]) })
    await pods.feed(FORWARDER, { argv: iptablesLoadArgv(of), input: ipvsTables(of) })
    const input = ipvsServices(ports[of], addressOf(pods, FORWARDER, of))
    await pods.feed(`net:${FORWARDER}`, { argv: ipvsLoadArgv, input })
  }
  for (const one of ipvsSwitches) await pods.feed(`net:${FORWARDER}`, one)
}

async function load(hook: Hook, services: number, pods: Pods): Promise<void> {
  switch (hook) {
    case 'none':
      return
    case 'nftables':
      return loadNftables(
        FORWARDER,
        (of) => portsOf(pods, services, of),
        (of) => [addressOf(pods, FORWARDER, of)],
        pods,
      )
    case 'iptables':
      return loadIptables(FORWARDER, (of) => portsOf(pods, services, of), pods)
    case 'xdp':
    case 'tc':
      return loadPrograms(hook, pods, services)
    case 'ipvs':
      return loadIpvs(pods, services)
    default:
      return assertNever(hook)
  }
}

async function servicesRead(pods: Pods, count: (pods: Pods) => Promise<number>): Promise<number> {
  const known = counted.get(pods.placement)
  if (known !== undefined) return known
  const services = await count(pods)
  counted.set(pods.placement, services)
  return services
}

/** Rules that were read for these pods: `read` and `readHooks` look at the same. */
const rulesRead = new WeakMap<Pods, Promise<RulesRead>>()

function rulesOf(pods: Pods): Promise<RulesRead> {
  const rules = rulesRead.get(pods) ?? readRules(pods)
  rulesRead.set(pods, rules)
  return rules
}

/** @throws LabError `datapath_not_taken` if more than one hook would forward */
async function read(pods: Pods): Promise<Settings> {
  const { nftables, iptables, programs, ipvs } = await rulesOf(pods)
  const found: readonly Hook[] = [
    ...(programs === null ? [] : [programs.hook]),
    ...(nftables === null ? [] : ['nftables' as const]),
    ...(iptables === null ? [] : ['iptables' as const]),
    ...(ipvs === null ? [] : ['ipvs' as const]),
  ]
  const [hook = 'none', ...more] = found
  if (more.length > 0) {
    const message = `The node forwards with ${found.join(' and ')}.`
    throw new LabError('datapath_not_taken', message, 'Deploy again: every deploy makes a new network.')
  }
  switch (hook) {
    case 'nftables':
      return { [NODEPORT_HOOK]: hook, [NODEPORT_SERVICES]: await servicesRead(pods, readNftServices) }
    case 'iptables':
      return { [NODEPORT_HOOK]: hook, [NODEPORT_SERVICES]: iptables?.services ?? 0 }
    case 'xdp':
    case 'tc':
      return { [NODEPORT_HOOK]: hook, [NODEPORT_SERVICES]: programs?.services ?? 0 }
    case 'ipvs':
      return { [NODEPORT_HOOK]: hook, [NODEPORT_SERVICES]: await servicesRead(pods, readIpvsServices) }
    case 'none':
      return { [NODEPORT_HOOK]: hook, [NODEPORT_SERVICES]: 1 }
    default:
      return assertNever(hook)
  }
}

export const podSettings: PodSettings = {
  settings: [NODEPORT_HOOK, NODEPORT_SERVICES],
  async set(values, pods) {
    const [hook, services] = [hookIn(values), servicesIn(values)]
    await preparePath(pods)
    const begun = performance.now()
    await load(hook, services, pods)
    if (hook !== 'none') loaded.set(pods.placement, { loadMs: performance.now() - begun })
  },
  read,
  readHooks: async (pods) => readHooks([CLIENT_SIDE, BACKEND_SIDE], await rulesOf(pods), pods),
}
