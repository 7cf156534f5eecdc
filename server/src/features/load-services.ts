/** Loads services into a node's kernel: kube-proxy's rules, or the helper's BPF programs. */
import { family, type Family } from '@expresslane/shared/base/units'
import { LabError } from '@expresslane/shared/base/errors'
import type { Role } from '@expresslane/shared/testbed/placement'
import { iptablesLoadArgv, isNftVariant } from '../tools/iptables.ts'
import { nftLoadArgv, nftLoadPartsArgv } from '../tools/nft.ts'
import { forwardArgv, type BpfHook, type ForwardedService } from '../tools/nodeport/argv.ts'
import type { Pods } from './feature.ts'
import { iptablesRules } from './iptables-rules.ts'
import { nftablesRules } from './nftables-rules.ts'
import type { ServicePort } from './service-ports.ts'

type PortsOf = (of: Family) => readonly ServicePort[]

/** @param addressesOf at which the node answers NodePorts */
export async function loadNftables(
  role: Role,
  portsOf: PortsOf,
  addressesOf: (of: Family) => readonly string[],
  { feed }: Pick<Pods, 'feed'>,
): Promise<void> {
  const parts = family.options.flatMap((of) => nftablesRules(of, portsOf(of), addressesOf(of)))
  // Few enough services are one file, as a person would load them.
  const whole = parts.length <= family.options.length
  if (whole) await feed(role, { argv: nftLoadArgv, input: parts.join('') })
  else await feed(role, { argv: nftLoadPartsArgv, input: parts.join('\0'), typed: nftLoadArgv })
}

export async function loadIptables(role: Role, portsOf: PortsOf, pods: Pick<Pods, 'feed' | 'look'>): Promise<void> {
  const whole = !isNftVariant(await pods.look(role, ['iptables', '--version']))
  for (const of of family.options) {
    await pods.feed(role, { argv: iptablesLoadArgv(of), input: iptablesRules(of, portsOf(of), whole) })
  }
}

/** @param portOf the port at which the helper finds a service: the services of a family share one address */
export function forwardedPorts(
  ports: readonly ServicePort[],
  portOf: (port: ServicePort) => number,
): ForwardedService[] {
  return ports.map((one) => ({
    port: portOf(one),
    protocol: one.protocol,
    address: one.endpoint.address,
    backendPort: one.endpoint.port,
  }))
}

/** How the helper's line begins once its programs are attached. */
const READY = '{"type":"ready"'

/** Starts the helper that holds the programs, at the ingress of the node's devices. @param input its services */
export async function holdForwarder(
  hook: 'xdp' | 'tc',
  role: Role,
  devices: readonly string[],
  input: string,
  { hold }: Pick<Pods, 'hold'>,
): Promise<void> {
  const holdAs = (as: BpfHook): Promise<void> =>
    hold(`net:${role}`, {
      argv: forwardArgv({ hook: as, devices }),
      input,
      isReady: (line) => line.startsWith(READY),
    })
  if (hook === 'xdp') return holdAs('xdp')
  try {
    await holdAs('tcx')
  } catch (error) {
    // Before 6.6 a kernel has no tcx; the same program is a clsact filter then.
    const isOld = error instanceof LabError && error.detail?.includes('"code":"unsupported"') === true
    if (!isOld) throw error
    await holdAs('tc')
  }
}
