/** Sets up the node of new pods for a hook and a number of services, and reads both back from the kernel. */
import { hookIn, NODEPORT_HOOK, NODEPORT_SERVICES, servicesIn } from '@expresslane/shared/features/nodeport/settings'
import { BACKEND, FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import type { Hook } from '@expresslane/shared/features/nodeport/hooks'
import { family, type Family } from '@expresslane/shared/measure/units'
import type { Settings } from '@expresslane/shared/measure/settings'
import { podOf, type Placement } from '@expresslane/shared/testbed/placement'
import { assertNever, LabError } from '@expresslane/shared/wire/errors'
import { iptablesLoadArgv, isNftVariant } from '../../tools/iptables.ts'
import { nftLoadArgv, nftLoadPartsArgv } from '../../tools/nft.ts'
import type { Pods, SettingsDriver } from '../feature.ts'
import { iptablesRules } from './iptables-rules.ts'
import { nftablesRules } from './nftables-rules.ts'
import { readNftServices, readRules } from './reading.ts'
import { servicePorts, type ServicePort } from './services.ts'

/** What is known of a node's services for as long as its pods are there. */
interface Loaded {
  readonly loadMs: number
}

const loaded = new WeakMap<Placement, Loaded>()
/** Nobody but this driver changes the rules of a pod's network, so its services are counted once. */
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

async function loadNftables(pods: Pods, services: number): Promise<void> {
  const parts = family.options.flatMap((of) =>
    nftablesRules(of, portsOf(pods, services, of), [addressOf(pods, FORWARDER, of)]),
  )
  // Few enough services are one file, as a person would load them.
  const whole = parts.length <= family.options.length
  if (whole) await pods.feed(FORWARDER, { argv: nftLoadArgv, input: parts.join('') })
  else await pods.feed(FORWARDER, { argv: nftLoadPartsArgv, input: parts.join('\0'), typed: nftLoadArgv })
}

async function loadIptables(pods: Pods, services: number): Promise<void> {
  const whole = !isNftVariant(await pods.look(FORWARDER, ['iptables', '--version']))
  for (const of of family.options) {
    const input = iptablesRules(of, portsOf(pods, services, of), whole)
    await pods.feed(FORWARDER, { argv: iptablesLoadArgv(of), input })
  }
}

function unsupported(hook: Hook): LabError {
  return new LabError('bad_request', `This testbed can’t forward with ${hook}.`, 'Choose another arm.')
}

async function load(hook: Hook, services: number, pods: Pods): Promise<void> {
  switch (hook) {
    case 'none':
      return
    case 'nftables':
      return loadNftables(pods, services)
    case 'iptables':
      return loadIptables(pods, services)
    case 'xdp':
    case 'tc':
    case 'ipvs':
      throw unsupported(hook)
    default:
      return assertNever(hook)
  }
}

async function nftServices(pods: Pods): Promise<number> {
  const known = counted.get(pods.placement)
  if (known !== undefined) return known
  const services = await readNftServices(pods)
  counted.set(pods.placement, services)
  return services
}

/** @throws LabError `datapath_not_taken` if more than one hook would forward */
async function read(pods: Pods): Promise<Settings> {
  const { nftables, iptables } = await readRules(pods)
  if (nftables !== null && iptables !== null) {
    const message = 'The node has rules of nftables and of iptables.'
    throw new LabError('datapath_not_taken', message, 'Deploy again: every deploy makes a new network.')
  }
  if (nftables !== null) return { [NODEPORT_HOOK]: 'nftables', [NODEPORT_SERVICES]: await nftServices(pods) }
  if (iptables !== null) return { [NODEPORT_HOOK]: 'iptables', [NODEPORT_SERVICES]: iptables.services }
  return { [NODEPORT_HOOK]: 'none', [NODEPORT_SERVICES]: 1 }
}

export const driver: SettingsDriver = {
  settings: [NODEPORT_HOOK, NODEPORT_SERVICES],
  async set(values, pods) {
    const [hook, services] = [hookIn(values), servicesIn(values)]
    const begun = performance.now()
    await load(hook, services, pods)
    if (hook !== 'none') loaded.set(pods.placement, { loadMs: performance.now() - begun })
  },
  read,
}
