/** Loads the services where new pods translate them, and reads both back from the kernel. */
import { SERVICE_NODE } from '@expresslane/shared/features/cluster-ip/about'
import {
  clientLink,
  CONTROL_PORT,
  DATA_PORT,
  SERVICE,
  serverLink,
} from '@expresslane/shared/features/cluster-ip/places'
import {
  SERVICES,
  servicesIn,
  TRANSLATION,
  translationIn,
  translationName,
  type Translation,
} from '@expresslane/shared/features/cluster-ip/settings'
import { assertNever, LabError } from '@expresslane/shared/base/errors'
import { family, type Family } from '@expresslane/shared/base/units'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import { ipBatchArgv } from '../../tools/ipvs.ts'
import { servicesInput } from '../../tools/nodeport/argv.ts'
import { connectArgv, isConnectReady } from '../../tools/nodeport/connect.ts'
import type { Pods, PodSettings } from '../feature.ts'
import { forwardedPorts, holdForwarder, loadIptables, loadNftables } from '../load-services.ts'
import { madeUpPorts, type ServicePort } from '../service-ports.ts'
import { countServices, readTranslators } from './reading.ts'
import { NODE_ENDS } from './topology.ts'

/** Ports of the node of which made-up services leave the first free, and that are beyond all of theirs. */
const NODE_PORTS = { [DATA_PORT]: 30_080, [CONTROL_PORT]: 32_767 } as const

/** Made-up services, and the two ports of the measured service last, each named like a service of its own. */
function portsOf(count: number, of: Family): ServicePort[] {
  const measured = ([CONTROL_PORT, DATA_PORT] as const).map((port): ServicePort => ({
    service: `lab/measured-${port}`,
    protocol: 'tcp',
    clusterIp: SERVICE[of],
    port,
    nodePort: NODE_PORTS[port],
    endpoint: { address: serverLink.pod[of], port },
    measured: true,
  }))
  return [...madeUpPorts(count - 1, of, NODE_PORTS[DATA_PORT]), ...measured]
}

const both = (addresses: Readonly<Record<Family, string>>): string[] => family.options.map((of) => addresses[of])

/**
 * The helper's services. The made-up services share the measured service's address, and have ports of their own. The client's
 * address is also the source at the backend: within a cluster nothing is masqueraded.
 */
function helperServices(count: number): string {
  return servicesInput({
    node: both(SERVICE),
    masquerade: both(clientLink.pod),
    services: forwardedPorts(
      family.options.flatMap((of) => portsOf(count, of)),
      ({ measured, port, nodePort }) => (measured ? port : nodePort),
    ),
  })
}

/** The backend has the service's address itself, and the node a route to it. */
async function withoutTranslation({ feed }: Pick<Pods, 'feed'>): Promise<void> {
  const { ipv4, ipv6 } = SERVICE
  await feed(SERVER, { argv: ipBatchArgv, input: `addr add ${ipv4}/32 dev lo\naddr add ${ipv6}/128 dev lo nodad\n` })
  const routes = family.options.map((of) => `route add ${SERVICE[of]} via ${serverLink.pod[of]}\n`)
  await feed(SERVICE_NODE, { argv: ipBatchArgv, input: routes.join('') })
}

async function load(by: Translation, count: number, pods: Pods): Promise<void> {
  const ports = (of: Family): ServicePort[] => portsOf(count, of)
  switch (by) {
    case 'none':
      return withoutTranslation(pods)
    case 'socket':
      return pods.hold(`net:${CLIENT}`, { argv: connectArgv, input: helperServices(count), isReady: isConnectReady })
    case 'tc':
      return holdForwarder('tc', SERVICE_NODE, NODE_ENDS, helperServices(count), pods)
    case 'nftables':
      return loadNftables(SERVICE_NODE, ports, (of) => [clientLink.node[of]], pods)
    case 'iptables':
      return loadIptables(SERVICE_NODE, ports, pods)
    default:
      return assertNever(by)
  }
}

export const podSettings: PodSettings = {
  settings: [TRANSLATION, SERVICES],
  set: (values, pods) => load(translationIn(values), servicesIn(values), pods),
  async read(pods) {
    const [found, ...more] = await readTranslators(pods, 'ipv4')
    if (found === undefined) return { [TRANSLATION]: 'none', [SERVICES]: 1 }
    if (more.length === 0) return { [TRANSLATION]: found.by, [SERVICES]: await countServices(found, pods) }
    const names = [found, ...more].map(({ by }) => translationName[by]).join(' and ')
    throw new LabError(
      'datapath_not_taken',
      `The service is translated in several places: ${names}.`,
      'Deploy again: every deploy makes a new network.',
    )
  },
}
