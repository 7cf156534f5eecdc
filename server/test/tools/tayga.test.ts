import { expect, test } from 'vitest'
import { isTaygaReady, taygaArgv, taygaConfig } from '../../src/tools/tayga.ts'

test('the configuration names the device, both own addresses, the prefix and each pair', () => {
  const pairs = [{ ipv4: '10.99.0.2', ipv6: 'fd46:1::2' }]
  const own = { ipv4: '10.99.0.254', ipv6: 'fd46:64::1' }
  expect(taygaConfig({ device: 'nat64', own, prefix: 'fd64:ff9b::/96', pairs })).toBe(
    [
      'tun-device nat64',
      'ipv4-addr 10.99.0.254',
      'ipv6-addr fd46:64::1',
      'prefix fd64:ff9b::/96',
      'map 10.99.0.2 fd46:1::2',
      '',
    ].join('\n'),
  )
})

test('tayga is ready when its device is there', () => {
  expect(taygaArgv('nat64').at(-1)).toContain('ip -o link show dev nat64')
  expect(isTaygaReady('2: nat64: <POINTOPOINT,MULTICAST,NOARP> mtu 1500 qdisc noop state DOWN mode DEFAULT')).toBe(true)
  expect(isTaygaReady('TAYGA: Unable to open /dev/net/tun, aborting: Permission denied')).toBe(false)
})
