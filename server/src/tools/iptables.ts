/** `iptables` and `ip6tables`: loading rules, and the counters of the NodePorts' rules. */
import type { Family } from '@expresslane/shared/base/units'

const program: Readonly<Record<Family, string>> = { ipv4: 'iptables', ipv6: 'ip6tables' }

/** Loads tables from standard input and keeps the rules that are there: each table up to its COMMIT is a transaction. */
export function iptablesLoadArgv(of: Family): string[] {
  return [`${program[of]}-restore`, '--noflush']
}

/** kube-proxy's chains with a rule for each NodePort, and for each cluster IP's port. */
export type ServiceChain = 'KUBE-NODEPORTS' | 'KUBE-SERVICES'

/** The rules of a chain, with their counters. It fails without such a chain. */
export function serviceRulesArgv(of: Family, chain: ServiceChain): string[] {
  return [program[of], '-t', 'nat', '-v', '-S', chain]
}

/** Files of /proc/net with the tables of iptables-legacy in a network namespace; missing where the kernel has none of them. */
export const legacyTables: Readonly<Record<Family, string>> = { ipv4: 'ip_tables_names', ipv6: 'ip6_tables_names' }

/**
 * Looks for a nat table of iptables in a network, by the names of nftables' tables and by the files of {@link legacyTables}.
 * iptables-legacy makes one when it is asked, which would cost every packet something.
 */
export function hasNatTable(nftTables: readonly string[], files: ReadonlyMap<string, string>, of: Family): boolean {
  return nftTables.includes('nat') || files.get(legacyTables[of])?.split('\n').includes('nat') === true
}

/** A rule of a service's port. */
export interface ServiceRule {
  readonly protocol: string
  readonly port: number
  /** Packets that it matched: in the nat table the first of each connection. */
  readonly packets: number
}

/** Reads the output of {@link serviceRulesArgv}. */
export function parseServiceRules(text: string): ServiceRule[] {
  return text.split('\n').flatMap((line) => {
    const found = /^-A KUBE-(?:NODEPORTS|SERVICES) .*-p (\w+) .*--dport (\d+) .*-c (\d+) \d+ /.exec(line)
    const [, protocol = '', port = '', packets = ''] = found ?? []
    return found === null ? [] : [{ protocol, port: Number(port), packets: Number(packets) }]
  })
}

/** Whether `iptables --version` is the variant that speaks to nf_tables in the kernel. */
export function isNftVariant(version: string): boolean {
  return version.includes('nf_tables')
}
