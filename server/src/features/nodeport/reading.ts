/** What the kernel of the node says about its hooks: which one forwards, for how many services, and what each counted. */
import { FORWARDER, NODE_PORT } from '@expresslane/shared/features/nodeport/roles'
import type { Hook } from '@expresslane/shared/features/nodeport/hooks'
import { family, type Family } from '@expresslane/shared/measure/units'
import { LabError } from '@expresslane/shared/wire/errors'
import { legacyTablesArgv, nodePortRulesArgv, parseNodePortRules, type NodePortRule } from '../../tools/iptables.ts'
import {
  nftCounter,
  nftCountersArgv,
  nftNodePortsArgv,
  nftTablesArgv,
  parseNftCounters,
  parseNftNodePorts,
  parseNftTables,
} from '../../tools/nft.ts'
import type { Pods } from '../feature.ts'
import { servicesOf, type Protocol } from './services.ts'

const families: readonly Family[] = family.options

/** New connections that rules counted: of the measured service by protocol, and of all other services together. */
export interface RuleCounts extends Readonly<Record<Protocol, number>> {
  readonly others: number
}

type ByFamily<T> = Readonly<Record<Family, T>>

/** The rules of netfilter; null for what is not there. */
export interface RulesRead {
  readonly nftables: ByFamily<RuleCounts> | null
  readonly iptables: (ByFamily<RuleCounts> & { readonly services: number }) | null
}

/** The output of a command that fails where there is nothing to show; null then. */
async function ifAny(look: Promise<string>): Promise<string | null> {
  try {
    return await look
  } catch (error) {
    if (error instanceof LabError && error.code === 'tool_failed') return null
    throw error
  }
}

async function byFamily<T>(read: (of: Family) => Promise<T>): Promise<ByFamily<T>> {
  return { ipv4: await read('ipv4'), ipv6: await read('ipv6') }
}

function countsOfRules(rules: readonly NodePortRule[]): RuleCounts {
  const sum = (of: readonly NodePortRule[]): number => of.reduce((all, { packets }) => all + packets, 0)
  const measured = (protocol: Protocol): NodePortRule[] =>
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

/**
 * Whether iptables has a nat table in the node's network. iptables-legacy makes one when it is asked, which would cost
 * every packet something.
 */
async function hasIptables({ look }: Pods, tables: string): Promise<boolean> {
  if (families.some((of) => parseNftTables(tables, of).includes('nat'))) return true
  const legacy = await Promise.all(families.map((of) => ifAny(look(FORWARDER, legacyTablesArgv[of]))))
  return legacy.some((text) => text?.split('\n').includes('nat'))
}

/** @throws LabError `tool_missing`, `tool_output_unreadable`; `signal.reason` */
export async function readRules(pods: Pods): Promise<RulesRead> {
  const { look } = pods
  const counters = await look(FORWARDER, nftCountersArgv)
  const nft = families.map((of) => parseNftCounters(counters, of))
  if (nft.some((one) => one === null) && nft.some((one) => one !== null)) throw disagree()
  const nftables = nft.includes(null)
    ? null
    : await byFamily(async (of) => {
        const counted = parseNftCounters(counters, of)
        const packets = (name: string): number => counted?.[name] ?? 0
        return { tcp: packets(nftCounter.tcp), udp: packets(nftCounter.udp), others: packets(nftCounter.others) }
      })
  if (!(await hasIptables(pods, await look(FORWARDER, nftTablesArgv)))) return { nftables, iptables: null }
  const rules = await byFamily(async (of) =>
    parseNodePortRules((await ifAny(look(FORWARDER, nodePortRulesArgv(of)))) ?? ''),
  )
  if (rules.ipv4.length !== rules.ipv6.length) throw disagree()
  if (rules.ipv4.length === 0) return { nftables, iptables: null }
  const iptables = { ipv4: countsOfRules(rules.ipv4), ipv6: countsOfRules(rules.ipv6) }
  return { nftables, iptables: { ...iptables, services: servicesOf(rules.ipv4.length) } }
}

/** Reads the map of NodePorts in both families. @throws LabError `tool_output_unreadable` if they differ */
export async function readNftServices({ look }: Pods): Promise<number> {
  const nodePorts = await byFamily(async (of) => parseNftNodePorts(await look(FORWARDER, nftNodePortsArgv(of))))
  if (nodePorts.ipv4 !== nodePorts.ipv6) throw disagree()
  return servicesOf(nodePorts.ipv4)
}

/** What rules counted between two readings. */
export interface RulesTaken {
  /** New connections to the measured service, by the arm's own rule. */
  readonly taken: number
  /** By all other rules, of every hook. */
  readonly elsewhere: number
}

function allOf(read: RulesRead): number {
  const of = [read.nftables, read.iptables].flatMap((one) => (one === null ? [] : [one.ipv4, one.ipv6]))
  return of.reduce((all, { tcp, udp, others }) => all + tcp + udp + others, 0)
}

/**
 * The new connections that the rule of an arm counted, and those of all other rules: the proof that an arm is what its
 * name says. An arm without rules of netfilter took none.
 */
export function rulesTaken(
  hook: Hook,
  { family: of, protocol }: { readonly family: Family; readonly protocol: Protocol },
  before: RulesRead,
  after: RulesRead,
): RulesTaken {
  const own = (read: RulesRead): number =>
    hook === 'nftables' || hook === 'iptables' ? (read[hook]?.[of][protocol] ?? 0) : 0
  const taken = own(after) - own(before)
  return { taken, elsewhere: allOf(after) - allOf(before) - taken }
}
