import { describe, expect, it, test } from 'vitest'
import { gatewayIn, parseAgentNodes, parseAgentServices, parseGateway } from '../../src/tools/cilium-gateway.ts'

const features = (gateway: object): unknown => ({ 'kube-proxy-replacement': { features: { nat46X64: { gateway } } } })

test.each([
  [features({ enabled: true, prefixes: ['64:ff9b::/96'] }), '64:ff9b::/96'],
  [features({ enabled: true, prefixes: ['64:ff9b::/96', 'fd64::/96'] }), '64:ff9b::/96, fd64::/96'],
  [features({ enabled: true, prefixes: null }), 'Enabled'],
  [features({}), 'Disabled'],
  [{ 'kube-proxy-replacement': { features: { nat46X64: {} } } }, 'Disabled'],
  [{ 'kube-proxy-replacement': { features: null } }, null],
  [{}, null],
  ['text', null],
])('the gateway of %j is %s', (status, expected) => {
  expect(gatewayIn(status)).toBe(expected)
  expect(parseGateway(JSON.stringify(status))).toBe(expected)
})

describe('an agent’s lists', () => {
  it('have the nodes’ own addresses', () => {
    // Output of Cilium 1.15.19; the second node has IPv4 alone.
    const printed = [
      {
        'health-endpoint-address': { ipv4: { enabled: true, ip: '10.244.0.30' } },
        name: 'kind-control-plane',
        'primary-address': {
          ipv4: { 'alloc-range': '10.244.0.0/24', enabled: true, ip: '172.30.0.10' },
          ipv6: { 'alloc-range': 'fd00:10:244::/64', enabled: true, ip: 'fd00:172:30::10' },
        },
        source: 'custom-resource',
      },
      { name: 'kind-worker', 'primary-address': { ipv4: { enabled: true, ip: '172.30.0.11' }, ipv6: {} } },
    ]
    expect(parseAgentNodes(JSON.stringify(printed))).toEqual([
      { name: 'kind-control-plane', ipv4: '172.30.0.10', ipv6: 'fd00:172:30::10' },
      { name: 'kind-worker', ipv4: '172.30.0.11', ipv6: null },
    ])
  })

  it('have the services’ addresses, and who answers there', () => {
    const printed = [
      {
        spec: {
          'backend-addresses': [{ ip: 'fd00:172:30::11', nodeName: 'kind-worker', port: 12865, state: 'active' }],
          flags: { name: 'sixonly', namespace: 'default', type: 'ExternalIPs' },
          'frontend-address': { ip: '64:ff9b::cb00:710a', port: 12865, scope: 'external' },
          id: 4,
        },
      },
      { spec: { 'frontend-address': { ip: '10.96.0.1', port: 443 } } },
    ]
    expect(parseAgentServices(JSON.stringify(printed))).toEqual([
      { address: '64:ff9b::cb00:710a', port: 12865, backends: ['fd00:172:30::11'] },
      { address: '10.96.0.1', port: 443, backends: [] },
    ])
    expect(parseAgentServices('null')).toEqual([])
  })

  it.each(['', '{', '{}', '[{"spec":{}}]'])('are refused where they are %j', (text) => {
    expect(() => parseAgentServices(text)).toThrow('The agent’s services could not be read.')
  })
})
