import { describe, expect, test } from 'vitest'
import { parseIpvsServices, parseIpvsTotals } from '../../src/tools/ipvs.ts'
import { isNftVariant, parseServiceRules } from '../../src/tools/iptables.ts'
import { parseNftCounters, parseNftNodePorts, parseNftTables } from '../../src/tools/nft.ts'
import { parseProcNet } from '../../src/tools/proc.ts'
import { readFixture } from './fixture.ts'

function textOf(name: string): string {
  return readFixture(`netfilter/${name}`).lines.join('\n')
}

describe('nft', () => {
  test('counters of the NodePort rules, by family', () => {
    const text = textOf('nft-1.0.6-counters')
    expect(parseNftCounters(text, 'ipv4')).toEqual({ 'measured-tcp': 0, 'measured-udp': 0, others: 0 })
    expect(parseNftCounters(text, 'ipv6')).toBeNull()
    expect(parseNftCounters(textOf('nft-1.0.6-tables'), 'ipv4')).toBeNull()
  })

  test('tables by family, those of iptables among them', () => {
    expect(parseNftTables(textOf('nft-1.0.6-tables'), 'ipv4')).toEqual(['kube-proxy'])
    expect(parseNftTables(textOf('iptables-1.8.9-tables'), 'ipv4')).toEqual(['filter', 'nat'])
    expect(parseNftTables(textOf('iptables-1.8.9-tables'), 'ipv6')).toEqual([])
  })

  test('counters and tables, asked for together', () => {
    const text = textOf('nft-1.0.6-counters-and-tables')
    expect(parseNftCounters(text, 'ipv4')).toEqual({ 'measured-tcp': 0, 'measured-udp': 0, others: 0 })
    expect(parseNftTables(text, 'ipv4')).toEqual(['kube-proxy', 'nat'])
  })

  test('the number of NodePorts', () => {
    expect(parseNftNodePorts(textOf('nft-1.0.6-nodeports'))).toBe(3)
    expect(() => parseNftNodePorts(textOf('nft-1.0.6-tables'))).toThrow('could not be read')
    expect(() => parseNftNodePorts('{"nftables": [')).toThrow('could not be read')
  })
})

describe('iptables', () => {
  test('the rules of the NodePorts, with what they counted', () => {
    expect(parseServiceRules(textOf('iptables-1.8.9-nodeports'))).toEqual([
      { protocol: 'tcp', port: 30_000, packets: 0 },
      { protocol: 'udp', port: 30_000, packets: 0 },
      { protocol: 'tcp', port: 30_080, packets: 0 },
      { protocol: 'udp', port: 30_080, packets: 1 },
    ])
    expect(parseServiceRules('')).toEqual([])
  })

  test('has two variants', () => {
    expect(isNftVariant('iptables v1.8.9 (nf_tables)')).toBe(true)
    expect(isNftVariant('iptables v1.8.9 (legacy)')).toBe(false)
  })
})

describe('files of /proc/net', () => {
  test('for iptables-legacy name its tables', () => {
    const files = parseProcNet(textOf('legacy-tables-6.18'))
    expect(Object.fromEntries(files)).toEqual({ ip_tables_names: 'nat', ip6_tables_names: 'nat' })
  })

  test('none is there', () => {
    expect(parseProcNet('').size).toBe(0)
  })

  test('their numbers keep their lines', () => {
    const text = textOf('ip_vs_stats_percpu-6.12')
    const found = parseProcNet(`==> /proc/net/ip_vs_stats_percpu <==\n${text}`).get('ip_vs_stats_percpu')
    expect(parseIpvsTotals(found ?? '')).toEqual(parseIpvsTotals(text))
  })
})

describe('IPVS', () => {
  test('the virtual services, by family, protocol and port', () => {
    const services = parseIpvsServices(textOf('ip_vs-6.12'))
    const at = (port: number): string[] =>
      services
        .filter((one) => one.port === port)
        .map(({ family, protocol }) => `${family} ${protocol}`)
        .toSorted()
    expect(services).toHaveLength(8)
    for (const port of [80, 30_080]) expect(at(port)).toEqual(['ipv4 tcp', 'ipv4 udp', 'ipv6 tcp', 'ipv6 udp'])
    expect(parseIpvsServices(textOf('ip_vs-6.12').split('\n').slice(0, 3).join('\n'))).toEqual([])
  })

  test('counts of all CPUs are added up', () => {
    const text = textOf('ip_vs_stats_percpu-6.12')
    expect(parseIpvsTotals(text)).toEqual({ connections: 4, incoming: 14, outgoing: 10 })
    const two = text.replace(/^( *0 .*)$/m, '$1\n  1        A        B        C               FF               FF')
    expect(parseIpvsTotals(two)).toEqual({ connections: 14, incoming: 25, outgoing: 22 })
    expect(() => parseIpvsTotals('nothing')).toThrow('can’t be read')
  })
})
