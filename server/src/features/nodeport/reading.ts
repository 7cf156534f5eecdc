/** The node's hooks as its kernel reports them: which hook forwards, for how many services, and the counts of each. */
import { FORWARDER, NODE_PORT } from '@expresslane/shared/features/nodeport/roles'
import type { Hook } from '@expresslane/shared/features/nodeport/hooks'
import { family, type Family } from '@expresslane/shared/base/units'
import { LabError } from '@expresslane/shared/base/errors'
import {
  hasNatTable,
  legacyTables,
  serviceRulesArgv,
  parseServiceRules,
  type ServiceRule,
} from '../../tools/iptables.ts'
import {
  anyIpvsServiceArgv,
  ipvsServicesArgv,
  ipvsTotals,
  parseIpvsServices,
  parseIpvsTotals,
} from '../../tools/ipvs.ts'
import {
  nftCounter,
  nftCountersAndTablesArgv,
  nftNodePortsArgv,
  parseNftCounters,
  parseNftNodePorts,
  parseNftTables,
} from '../../tools/nft.ts'
import { countersArgv } from '../../tools/nodeport/argv.ts'
import { parseForwardCounters } from '../../tools/nodeport/lines.ts'
import { parseProcNet, procNetArgv } from '../../tools/proc.ts'
import type { Pods } from '../feature.ts'
import { ifAny } from '../look.ts'
import { isNodePort, type Protocol } from '../service-ports.ts'
import { servicesOf } from './services.ts'

const families: readonly Family[] = family.options

/** The commands in pods that a reading needs. */
type Looked = Pick<Pods, 'look'>

/** New connections that rules counted: of the measured service by protocol, and of all other services together. */
export interface RuleCounts extends Readonly<Record<Protocol, number>> {
  readonly others: number
}

type ByFamily<T> = Readonly<Record<Family, T>>

/** The counts of the attached BPF programs; the programs of the other hook are loaded, too, and must not run. */
export interface ProgramsRead {
  readonly hook: 'xdp' | 'tc'
  /** As many as the kernel's map has. */
  readonly services: number
  /** Flows that began, over both protocols and families. */
  readonly newFlows: number
  /** Packets to a backend, the first of each flow included, and back to a client. */
  readonly forwarded: number
  readonly replies: number
  /** Packets that the other hook's program saw. */
  readonly othersRuns: number
}

/** The packets that IPVS counted at all its virtual services, over both protocols and families. */
export interface IpvsRead {
  /** Flows that began. */
  readonly newFlows: number
  /** Packets to a backend, the first of each flow included, and back to a client. */
  readonly forwarded: number
  readonly replies: number
}

/** All that can forward at the node; null for a part that is not there. */
export interface RulesRead {
  readonly programs: ProgramsRead | null
  readonly ipvs: IpvsRead | null
  readonly nftables: ByFamily<RuleCounts> | null
  readonly iptables: (ByFamily<RuleCounts> & { readonly services: number }) | null
}

async function byFamily<T>(read: (of: Family) => Promise<T>): Promise<ByFamily<T>> {
  return { ipv4: await read('ipv4'), ipv6: await read('ipv6') }
}

function countsOfRules(rules: readonly ServiceRule[]): RuleCounts {
  const sum = (of: readonly ServiceRule[]): number => of.reduce((all, { packets }) => all + packets, 0)
  const measured = (protocol: Protocol): ServiceRule[] =>
    rules.filter((one) => one.port === NODE_PORT && one.protocol === protocol)
  return {
    tcp: sum(measured('tcp')),
    udp: sum(measured('udp')),
    others: sum(rules.filter(({ port }) => port !== NODE_PORT)),
  }
}

function disagree(): LabError {
  return new LabError(
    'tool_output_unreadable',
    'The node has different NodePort rules for IPv4 and IPv6.',
    'Deploy again: every deploy makes a new network.',
  )
}

type Files = ReadonlyMap<string, string>

/** Files in /proc/net that kernels have only once a module is loaded. */
const files = [ipvsTotals, ...Object.values(legacyTables)]

async function readFiles({ look }: Looked): Promise<Files> {
  return parseProcNet(await look(FORWARDER, procNetArgv(files)))
}

function hasIptables(nft: string, found: Files): boolean {
  return families.some((of) => hasNatTable(parseNftTables(nft, of), found, of))
}

/** Without the rights for BPF there are none. @throws LabError `tool_output_unreadable` */
async function readPrograms({ look }: Looked): Promise<ProgramsRead | null> {
  const text = await ifAny(look(`net:${FORWARDER}`, countersArgv('forward')))
  if (text === null) return null
  const { hook, services, programs } = parseForwardCounters(text.trim())
  if (services % families.length !== 0) throw disagree()
  const [own, other] = hook === 'xdp' ? [programs.xdp, programs.tc] : [programs.tc, programs.xdp]
  const { newFlows, forwarded, replies } = own
  return {
    hook: hook === 'xdp' ? 'xdp' : 'tc',
    services: servicesOf(services / families.length),
    newFlows,
    forwarded,
    replies,
    othersRuns: other.runs,
  }
}

/** A kernel that has loaded ip_vs counts in every network, so only an IPVS with virtual services makes an arm. */
async function readIpvs({ look }: Looked, found: Files): Promise<IpvsRead | null> {
  const totals = found.get(ipvsTotals)
  if (totals === undefined) return null
  const services = parseIpvsServices(await look(FORWARDER, anyIpvsServiceArgv))
  if (services.length === 0) return null
  const { connections, incoming, outgoing } = parseIpvsTotals(totals)
  return { newFlows: connections, forwarded: incoming, replies: outgoing }
}

/** @throws LabError `tool_missing`, `tool_output_unreadable`; `signal.reason` */
export async function readRules(pods: Looked): Promise<RulesRead> {
  const { look } = pods
  const programs = await readPrograms(pods)
  const found = await readFiles(pods)
  const ipvs = await readIpvs(pods, found)
  const answers = await look(FORWARDER, nftCountersAndTablesArgv)
  const nft = families.map((of) => parseNftCounters(answers, of))
  if (nft.some((one) => one === null) && nft.some((one) => one !== null)) throw disagree()
  const nftables = nft.includes(null)
    ? null
    : await byFamily(async (of) => {
        const counted = parseNftCounters(answers, of)
        const packets = (name: string): number => counted?.[name] ?? 0
        return { tcp: packets(nftCounter.tcp), udp: packets(nftCounter.udp), others: packets(nftCounter.others) }
      })
  if (!hasIptables(answers, found)) return { programs, ipvs, nftables, iptables: null }
  const rules = await byFamily(async (of) =>
    parseServiceRules((await ifAny(look(FORWARDER, serviceRulesArgv(of, 'KUBE-NODEPORTS')))) ?? ''),
  )
  if (rules.ipv4.length !== rules.ipv6.length) throw disagree()
  if (rules.ipv4.length === 0) return { programs, ipvs, nftables, iptables: null }
  const iptables = { ipv4: countsOfRules(rules.ipv4), ipv6: countsOfRules(rules.ipv6) }
  return { programs, ipvs, nftables, iptables: { ...iptables, services: servicesOf(rules.ipv4.length) } }
}

/** Reads the map of NodePorts in both families. @throws LabError `tool_output_unreadable` if they differ */
export async function readNftServices({ look }: Looked): Promise<number> {
  const nodePorts = await byFamily(async (of) => parseNftNodePorts(await look(FORWARDER, nftNodePortsArgv(of))))
  if (nodePorts.ipv4 !== nodePorts.ipv6) throw disagree()
  return servicesOf(nodePorts.ipv4)
}

/** Counts the NodePorts among the virtual services in both families. @throws LabError `tool_output_unreadable` if they differ */
export async function readIpvsServices({ look }: Looked): Promise<number> {
  const services = parseIpvsServices(await look(FORWARDER, ipvsServicesArgv))
  const [ipv4, ipv6] = families.map(
    (of) => services.filter(({ family: its, port }) => its === of && isNodePort(port)).length,
  )
  if (ipv4 === undefined || ipv4 !== ipv6) throw disagree()
  return servicesOf(ipv4)
}

/** The packets that rules counted between two readings. */
export interface RulesTaken {
  /** New connections to the measured service, by the arm's own rule. */
  readonly taken: number
  /** By all other rules, of every hook. */
  readonly elsewhere: number
}

function allOf(read: RulesRead): number {
  const of = [read.nftables, read.iptables].flatMap((one) => (one === null ? [] : [one.ipv4, one.ipv6]))
  const flows = (read.programs?.newFlows ?? 0) + (read.programs?.othersRuns ?? 0) + (read.ipvs?.newFlows ?? 0)
  return of.reduce((all, { tcp, udp, others }) => all + tcp + udp + others, flows)
}

/**
 * The new connections that the rule or program of an arm counted, and the new connections of all others: the proof that
 * an arm is what its name says. Programs and IPVS count both protocols and families together.
 */
export function rulesTaken(
  hook: Hook,
  { family: of, protocol }: { readonly family: Family; readonly protocol: Protocol },
  before: RulesRead,
  after: RulesRead,
): RulesTaken {
  const own = ({ programs, ipvs, ...rules }: RulesRead): number => {
    if (hook === 'nftables' || hook === 'iptables') return rules[hook]?.[of][protocol] ?? 0
    if (hook === 'ipvs') return ipvs?.newFlows ?? 0
    return programs?.hook === hook ? programs.newFlows : 0
  }
  const taken = own(after) - own(before)
  return { taken, elsewhere: allOf(after) - allOf(before) - taken }
}
