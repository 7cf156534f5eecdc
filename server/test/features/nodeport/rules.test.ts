import { MOST_SERVICES } from '@expresslane/shared/features/nodeport/settings'
import { describe, expect, test } from 'vitest'
import { iptablesRules } from '../../../src/features/iptables-rules.ts'
import { ipvsDevice, ipvsServices, ipvsSets, ipvsTables } from '../../../src/features/nodeport/ipvs-rules.ts'
import { nftablesRules } from '../../../src/features/nftables-rules.ts'
import { rulesTaken, type RuleCounts, type RulesRead } from '../../../src/features/nodeport/reading.ts'
import { chainHash } from '../../../src/features/service-ports.ts'
import { servicePorts, servicesOf } from '../../../src/features/nodeport/services.ts'

const backend = { ipv4: '10.42.0.2', ipv6: 'fd00:42::2' } as const
/** net.core.wmem_default, less what a message has besides its rules. */
const MESSAGE_BYTES = 200_000

describe('the services', () => {
  test.each([1, 2, 100, MOST_SERVICES])('are %i, and the measured service is last, over TCP and UDP', (count) => {
    const ports = servicePorts(count, 'ipv4', backend.ipv4)
    expect(servicesOf(ports.length)).toBe(count)
    expect(new Set(ports.map(({ service }) => service)).size).toBe(count)
    expect(ports.slice(-2).map(({ protocol, nodePort, measured }) => [protocol, nodePort, measured])).toEqual([
      ['tcp', 30_080, true],
      ['udp', 30_080, true],
    ])
    expect(ports.filter(({ measured }) => measured)).toHaveLength(2)
  })

  test('have NodePorts of Kubernetes’ range and addresses of their own', () => {
    for (const of of ['ipv4', 'ipv6'] as const) {
      const ports = servicePorts(MOST_SERVICES, of, backend[of])
      expect(new Set(ports.map(({ protocol, nodePort }) => `${protocol} ${nodePort}`)).size).toBe(ports.length)
      expect(Math.max(...ports.map(({ nodePort }) => nodePort))).toBeLessThanOrEqual(32_767)
      expect(new Set(ports.map(({ clusterIp }) => clusterIp)).size).toBe(MOST_SERVICES)
      expect(new Set(ports.map(({ endpoint }) => endpoint.address)).size).toBe(MOST_SERVICES)
    }
  })
})

// The expected names are those of kube-proxy's own tests.
test.each([
  ['ns1/svc1/tcp/p80', 8, 'ULMVA6XW'],
  ['ns1/svc1:p80tcp', 16, 'XPGD46QRK7WJZT7O'],
  ['ns1/svc1:p80tcp10.180.0.1:80', 16, 'SXIVWICOYRO3J4NJ'],
] as const)('chains have the names that kube-proxy gives them: %s', (text, length, name) => {
  expect(chainHash(text, length)).toBe(name)
})

describe('the rules', () => {
  test('in iptables: a rule for each NodePort, the measured NodePorts last', () => {
    const rules = iptablesRules('ipv6', servicePorts(3, 'ipv6', backend.ipv6), true).split('\n')
    const nodePorts = rules.filter((line) => line.startsWith('-A KUBE-NODEPORTS'))
    expect(nodePorts.map((line) => /--dport (\d+)/.exec(line)?.[1])).toEqual(['30000', '30000', '30080', '30080'])
    expect(rules).toContainEqual(
      expect.stringMatching(/^-A KUBE-SEP-\w{16} .* -j DNAT --to-destination \[fd00:42::2\]:8080$/),
    )
    expect(rules.filter((line) => line === '*nat')).toHaveLength(1)
  })

  test('in nftables find the NodePort in a map', () => {
    const [rules = '', ...more] = nftablesRules('ipv4', servicePorts(3, 'ipv4', backend.ipv4), ['10.41.0.1'])
    expect(more).toEqual([])
    expect(rules).toContain('udp . 30080 : goto external-')
    expect(rules).toContain('ip daddr @nodeport-ips meta l4proto . th dport vmap @service-nodeports')
    expect(rules).toContain('counter name measured-udp dnat to 10.42.0.2:8080')
    expect(rules.match(/counter name others/g)).toHaveLength(2)
  })

  test('in IPVS are as many as for one service, and each service has an address of its own and the node’s', () => {
    const ports = servicePorts(3, 'ipv6', backend.ipv6)
    const services = ipvsServices(ports, 'fd00:41::1').split('\n')
    expect(services.filter((line) => line.startsWith('-A -'))).toHaveLength(2 * ports.length)
    expect(services).toContain('-A -u [fd00:41::1]:30080 -s rr')
    expect(services).toContain('-a -u [fd00:41::1]:30080 -r [fd00:42::2]:8080 -m -w 1')
    expect(ipvsTables('ipv6')).toContain('--match-set KUBE-6-NODE-PORT-UDP dst -j KUBE-MARK-MASQ')
    const sets = ipvsSets('ipv6', ports).split('\n')
    expect(sets.filter((line) => line.startsWith('add KUBE-6-NODE-PORT-'))).toHaveLength(ports.length)
    // Longer names are refused (IPSET_MAXNAMELEN).
    for (const [, name = ''] of ipvsSets('ipv6', ports).matchAll(/^create (\S+)/gm))
      expect(name.length).toBeLessThan(32)
    const device = ipvsDevice({ ipv4: servicePorts(3, 'ipv4', backend.ipv4), ipv6: ports }).split('\n')
    expect(device.filter((line) => line.startsWith('address add'))).toHaveLength(6)
  })

  test('for many services fit into messages of an ordinary user', () => {
    const ports = servicePorts(MOST_SERVICES, 'ipv6', backend.ipv6)
    const parts = nftablesRules('ipv6', ports, ['fd00:41::1'])
    expect(parts).toHaveLength(101)
    const transactions = iptablesRules('ipv6', ports, false).split('COMMIT\n')
    // In a message a rule takes about 1,000 bytes, more than in the text.
    for (const one of transactions) expect(one.match(/^-A /gm)?.length ?? 0).toBeLessThan(MESSAGE_BYTES / 1000)
  })
})

describe('the counters of rules', () => {
  const none: RuleCounts = { tcp: 0, udp: 0, others: 0 }
  const read = (nft: RuleCounts, iptables: RuleCounts | null = null): RulesRead => ({
    programs: null,
    ipvs: null,
    nftables: { ipv4: nft, ipv6: none },
    iptables: iptables === null ? null : { ipv4: iptables, ipv6: none, services: 3 },
  })
  const udp = { family: 'ipv4', protocol: 'udp' } as const

  test('is the arm’s own, and everything else', () => {
    const before = read({ tcp: 5, udp: 7, others: 1 })
    expect(rulesTaken('nftables', udp, before, read({ tcp: 5, udp: 107, others: 1 }))).toEqual({
      taken: 100,
      elsewhere: 0,
    })
    expect(rulesTaken('nftables', udp, before, read({ tcp: 6, udp: 107, others: 3 }))).toEqual({
      taken: 100,
      elsewhere: 3,
    })
  })

  test('is the flows of the arm’s program, and every run of the other', () => {
    const programs = (newFlows: number, othersRuns = 0): RulesRead => ({
      programs: { hook: 'tc', services: 3, forwarded: 0, replies: 0, newFlows, othersRuns },
      ipvs: null,
      nftables: null,
      iptables: null,
    })
    expect(rulesTaken('tc', udp, programs(4), programs(54))).toEqual({ taken: 50, elsewhere: 0 })
    expect(rulesTaken('tc', udp, programs(4), programs(54, 2))).toEqual({ taken: 50, elsewhere: 2 })
    expect(rulesTaken('xdp', udp, programs(4), programs(54))).toEqual({ taken: 0, elsewhere: 50 })
  })

  test('is the flows of IPVS', () => {
    const ipvs = (newFlows: number): RulesRead => ({
      programs: null,
      ipvs: { newFlows, forwarded: 2 * newFlows, replies: newFlows },
      nftables: null,
      iptables: null,
    })
    expect(rulesTaken('ipvs', udp, ipvs(4), ipvs(54))).toEqual({ taken: 50, elsewhere: 0 })
    expect(rulesTaken('iptables', udp, ipvs(4), ipvs(54))).toEqual({ taken: 0, elsewhere: 50 })
  })

  test('is elsewhere if another hook took it', () => {
    const after = read({ tcp: 0, udp: 50, others: 0 }, none)
    expect(rulesTaken('iptables', udp, read(none, none), after)).toEqual({ taken: 0, elsewhere: 50 })
    expect(rulesTaken('xdp', udp, read(none), read({ ...none, udp: 50 }))).toEqual({ taken: 0, elsewhere: 50 })
  })
})
