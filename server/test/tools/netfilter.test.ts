import { describe, expect, test } from 'vitest'
import { isNftVariant, parseNodePortRules } from '../../src/tools/iptables.ts'
import { parseNftCounters, parseNftNodePorts, parseNftTables } from '../../src/tools/nft.ts'
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

  test('the number of NodePorts', () => {
    expect(parseNftNodePorts(textOf('nft-1.0.6-nodeports'))).toBe(3)
    expect(() => parseNftNodePorts(textOf('nft-1.0.6-tables'))).toThrow('could not be read')
    expect(() => parseNftNodePorts('{"nftables": [')).toThrow('could not be read')
  })
})

describe('iptables', () => {
  test('the rules of the NodePorts, with what they counted', () => {
    expect(parseNodePortRules(textOf('iptables-1.8.9-nodeports'))).toEqual([
      { protocol: 'tcp', port: 30_000, packets: 0 },
      { protocol: 'udp', port: 30_000, packets: 0 },
      { protocol: 'tcp', port: 30_080, packets: 0 },
      { protocol: 'udp', port: 30_080, packets: 1 },
    ])
    expect(parseNodePortRules('')).toEqual([])
  })

  test('its two variants', () => {
    expect(isNftVariant('iptables v1.8.9 (nf_tables)')).toBe(true)
    expect(isNftVariant('iptables v1.8.9 (legacy)')).toBe(false)
  })
})
