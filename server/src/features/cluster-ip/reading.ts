/** Where services are translated, as the kernel reports it: the program at the client's sockets, and the node's program and rules. */
import { SERVICE_NODE } from '@expresslane/shared/features/cluster-ip/about'
import { CONTROL_PORT, DATA_PORT } from '@expresslane/shared/features/cluster-ip/places'
import { translatedBy } from '@expresslane/shared/features/cluster-ip/proof'
import { translators, type Translator } from '@expresslane/shared/features/cluster-ip/settings'
import type { MetricValues } from '@expresslane/shared/measure/metrics'
import { family, type Family } from '@expresslane/shared/base/units'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { hasNatTable, legacyTables, parseServiceRules, serviceRulesArgv } from '../../tools/iptables.ts'
import {
  nftCounter,
  nftCountersAndTablesArgv,
  nftNodePortsArgv,
  parseNftCounters,
  parseNftNodePorts,
  parseNftTables,
} from '../../tools/nft.ts'
import { countersArgv } from '../../tools/nodeport/argv.ts'
import { connectCountersArgv, parseConnectCounters } from '../../tools/nodeport/connect.ts'
import { parseForwardCounters } from '../../tools/nodeport/lines.ts'
import { parseProcNet, procNetArgv } from '../../tools/proc.ts'
import type { Pods } from '../feature.ts'
import { ifAny } from '../look.ts'

type Looked = Pick<Pods, 'look'>

export interface Found {
  readonly by: Translator
  /** Ports of services in one family; null where that takes another, longer reading. */
  readonly ports: number | null
  /** Connections to the measured service that it translated: rules count each family, programs both. */
  readonly translated: number
}

const inOneFamily = (entries: number): number => entries / family.options.length

async function readSocket({ look }: Looked): Promise<Found[]> {
  const text = await ifAny(look(`net:${CLIENT}`, connectCountersArgv))
  if (text === null) return []
  const { services, translated } = parseConnectCounters(text.trim())
  return [{ by: 'socket', ports: inOneFamily(services), translated }]
}

async function readTc({ look }: Looked): Promise<Found[]> {
  const text = await ifAny(look(`net:${SERVICE_NODE}`, countersArgv('forward')))
  if (text === null) return []
  const { services, programs } = parseForwardCounters(text.trim())
  return [{ by: 'tc', ports: inOneFamily(services), translated: programs.tc.newFlows }]
}

async function readRules({ look }: Looked, of: Family): Promise<Found[]> {
  const answers = await look(SERVICE_NODE, nftCountersAndTablesArgv)
  const nft = parseNftCounters(answers, of)
  const found: Found[] = nft === null ? [] : [{ by: 'nftables', ports: null, translated: nft[nftCounter.tcp] ?? 0 }]
  const files = parseProcNet(await look(SERVICE_NODE, procNetArgv(Object.values(legacyTables))))
  if (!hasNatTable(parseNftTables(answers, of), files, of)) return found
  const rules = parseServiceRules((await ifAny(look(SERVICE_NODE, serviceRulesArgv(of, 'KUBE-SERVICES')))) ?? '')
  if (rules.length === 0) return found
  const measured = rules.filter(({ port }) => port === CONTROL_PORT || port === DATA_PORT)
  return [
    ...found,
    { by: 'iptables', ports: rules.length, translated: measured.reduce((sum, { packets }) => sum + packets, 0) },
  ]
}

/** All places that translate; none if the backend has the service's address itself. @throws LabError of the tools; `signal.reason` */
export async function readTranslators(pods: Looked, of: Family): Promise<Found[]> {
  return [...(await readSocket(pods)), ...(await readTc(pods)), ...(await readRules(pods, of))]
}

/** The measured service has two ports, the others one. @throws LabError of `nft`; `signal.reason` */
export async function countServices({ ports }: Found, { look }: Looked): Promise<number> {
  return (ports ?? parseNftNodePorts(await look(SERVICE_NODE, nftNodePortsArgv('ipv4')))) - 1
}

/** The connections that each place translated between two readings, by metric. */
export function translatedBetween(before: readonly Found[], after: readonly Found[]): MetricValues {
  const count = (found: readonly Found[], by: Translator): number => found.find((one) => one.by === by)?.translated ?? 0
  return Object.fromEntries(translators.map((by) => [translatedBy[by], count(after, by) - count(before, by)]))
}
