/** IPVS: loading virtual services and the sets of their addresses, and the kernel's report of them in /proc/net. */
import type { Family } from '@expresslane/shared/base/units'
import { LabError } from '@expresslane/shared/base/errors'

/** Each loads its standard input. */
export const ipvsLoadArgv = ['ipvsadm', '--restore']
export const ipsetLoadArgv = ['ipset', 'restore']
export const ipBatchArgv = ['ip', '-batch', '-']

/**
 * The file of /proc/net with the counters of all virtual services of a network namespace together, by CPU: their sums in
 * `ip_vs_stats` are up to two seconds old. It is missing as long as the kernel has not loaded ip_vs.
 */
export const ipvsTotals = 'ip_vs_stats_percpu'
/** All virtual services with their backends. */
export const ipvsServicesArgv = ['cat', '/proc/net/ip_vs']
/** The beginning of the list, to show whether there is any service: three lines of heading, and the first service. */
export const anyIpvsServiceArgv = ['head', '-n', '4', '/proc/net/ip_vs']

/** The switches that kube-proxy sets (pkg/proxy/ipvs/proxier.go), by their files, which are there once ip_vs is loaded. */
const switches = [
  ['conntrack', '1'],
  ['conn_reuse_mode', '0'],
  ['expire_nodest_conn', '1'],
  ['expire_quiescent_template', '1'],
] as const

/** A command for each switch: its argv, and its standard input. */
export const ipvsSwitches = switches.map(([name, value]) => ({
  argv: ['tee', `/proc/sys/net/ipv4/vs/${name}`],
  input: `${value}\n`,
}))

/** A virtual service: where it answers. */
export interface VirtualService {
  readonly family: Family
  readonly protocol: 'tcp' | 'udp'
  readonly port: number
}

/** Reads the output of {@link ipvsServicesArgv} or its beginning. Addresses and ports are hexadecimal. */
export function parseIpvsServices(text: string): VirtualService[] {
  return text.split('\n').flatMap((line) => {
    const found = /^(TCP|UDP) +(\[?)[0-9A-Fa-f:]+?\]?:([0-9A-F]{4}) /.exec(line)
    const [, protocol = '', bracket = '', port = ''] = found ?? []
    if (found === null) return []
    return [
      {
        family: bracket === '' ? 'ipv4' : 'ipv6',
        protocol: protocol === 'TCP' ? 'tcp' : 'udp',
        port: Number.parseInt(port, 16),
      },
    ]
  })
}

/** The counters of all virtual services of both families together. */
export interface IpvsTotals {
  /** Flows that began. */
  readonly connections: number
  /** Packets to a backend, the first of each flow included, and back to a client. */
  readonly incoming: number
  readonly outgoing: number
}

const aCpu = /^ *[0-9A-F]+ +([0-9A-F]+) +([0-9A-F]+) +([0-9A-F]+) +[0-9A-F]+ +[0-9A-F]+$/

/** Reads the file {@link ipvsTotals}: a line of hexadecimal numbers for each CPU. @throws LabError `tool_output_unreadable` */
export function parseIpvsTotals(text: string): IpvsTotals {
  const cpus = text.split('\n').flatMap((line) => {
    const found = aCpu.exec(line)
    return found === null ? [] : [found.slice(1).map((one) => Number.parseInt(one, 16))]
  })
  if (cpus.length === 0) {
    throw new LabError(
      'tool_output_unreadable',
      'What IPVS counted can’t be read.',
      'Report this as a bug, with the kernel’s version.',
      { detail: text.slice(0, 1000) },
    )
  }
  const sum = (column: number): number => cpus.reduce((all, numbers) => all + (numbers[column] ?? 0), 0)
  return { connections: sum(0), incoming: sum(1), outgoing: sum(2) }
}
