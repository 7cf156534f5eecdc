import { describe, expect, test } from 'vitest'
import {
  overriddenBy,
  toOverrides as overridesOf,
  type NodeConfig,
} from '../../../../src/testbeds/kubernetes/datapath/settings.ts'
import { ciliumKeys } from '../../../../src/features/registry.ts'
import { IPV4, IPV6, keyed, stored } from '../keys.ts'
import { recordedNodes, recordedSettings } from '../recorded.ts'

const toOverrides = (...of: [readonly NodeConfig[], Parameters<typeof overridesOf>[1]]) =>
  overridesOf(...of, ciliumKeys())

describe('the ConfigMap', () => {
  test.each(['off', 'on'] as const)('recorded, %s', (arm) => {
    const word = arm === 'on' ? 'true' : 'false'
    expect(stored(recordedSettings(arm))).toMatchObject({
      intended: keyed({ ipv4: arm === 'on', ipv6: arm === 'on' }),
      raw: { [IPV4]: word, [IPV6]: word },
    })
  })

  test('an absent key is off and absent, and a value is parsed as in Go', () => {
    const read = (data?: Record<string, string>) => stored(data === undefined ? {} : { data })
    expect(read()).toMatchObject({ intended: keyed({ ipv4: false, ipv6: false }), raw: { [IPV4]: null, [IPV6]: null } })
    expect(read({ [IPV4]: 'True', [IPV6]: '1' }).intended).toMatchObject(keyed({ ipv4: true, ipv6: true }))
    expect(read({ [IPV4]: 'yes', [IPV6]: '' })).toMatchObject({
      intended: keyed({ ipv4: false, ipv6: false }),
      raw: { [IPV4]: 'yes', [IPV6]: '' },
    })
  })
})

describe('overrides of single nodes', () => {
  const nodes = recordedNodes('off')
  const all = nodes.map(({ metadata }) => metadata?.name ?? '')
  const intended = keyed({ ipv4: true, ipv6: true })
  const config = (
    name: string,
    defaults: Record<string, string>,
    nodeSelector?: NodeConfig['spec']['nodeSelector'],
  ) => ({
    metadata: { name },
    spec: { defaults, nodeSelector },
  })
  const nodesOf = (nodeSelector?: NodeConfig['spec']['nodeSelector']) =>
    toOverrides([config('one', { [IPV4]: 'false' }, nodeSelector)], nodes)[0]?.nodes
  const HOST = 'kubernetes.io/hostname'
  const CONTROL = 'node-role.kubernetes.io/control-plane'

  test('select nodes by labels as Kubernetes does', () => {
    expect(nodesOf()).toEqual([])
    expect(nodesOf({})).toEqual(all)
    expect(nodesOf({ matchLabels: { [HOST]: 'kind-worker' } })).toEqual(['kind-worker'])
    expect(nodesOf({ matchExpressions: [{ key: HOST, operator: 'In', values: ['kind-worker2', 'x'] }] })).toEqual([
      'kind-worker2',
    ])
    expect(nodesOf({ matchExpressions: [{ key: HOST, operator: 'NotIn', values: ['kind-worker2'] }] })).toEqual(
      all.filter((name) => name !== 'kind-worker2'),
    )
    expect(nodesOf({ matchExpressions: [{ key: CONTROL, operator: 'Exists' }] })).toEqual(['kind-control-plane'])
    expect(nodesOf({ matchExpressions: [{ key: CONTROL, operator: 'DoesNotExist' }] })).toEqual(
      all.filter((name) => name !== 'kind-control-plane'),
    )
    expect(
      nodesOf({ matchLabels: { [HOST]: 'kind-worker' }, matchExpressions: [{ key: CONTROL, operator: 'Exists' }] }),
    ).toEqual([])
    expect(nodesOf({ matchExpressions: [{ key: HOST, operator: 'Like', values: ['kind-worker'] }] })).toEqual([])
  })

  test('count only if they name BIG TCP with another value', () => {
    const other = config('debugging', { debug: 'true' }, {})
    const same = config('same', { [IPV4]: 'true' }, {})
    const off = config('no-ipv6', { [IPV6]: 'false', debug: 'true' }, { matchLabels: { [HOST]: 'kind-worker' } })
    const overrides = toOverrides([other, same, off], nodes)
    expect(overrides.map(({ name, says }) => [name, says])).toEqual([
      ['no-ipv6', `${IPV6}=false`],
      ['same', `${IPV4}=true`],
    ])
    expect(overriddenBy(overrides, 'kind-worker', intended)).toBe('CiliumNodeConfig no-ipv6')
    expect(overriddenBy(overrides, 'kind-worker2', intended)).toBeNull()
  })

  test('the later name counts if a node has two', () => {
    const configs = [config('b', { [IPV4]: 'true' }, {}), config('a', { [IPV4]: 'false' }, {})]
    expect(overriddenBy(toOverrides(configs, nodes), 'kind-worker', intended)).toBeNull()
    expect(overriddenBy(toOverrides(configs, nodes), 'kind-worker', keyed({ ipv4: false, ipv6: true }))).toBe(
      'CiliumNodeConfig b',
    )
  })
})
