/** Under which addresses the server is reached, and over which of them a cookie must be `Secure`. */
import type { NetworkInterfaceInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { createAddresses, type AddressConfig } from '../../src/access/addresses.ts'

function info(
  address: string,
  family: 'IPv4' | 'IPv6',
  more: Partial<NetworkInterfaceInfo> = {},
): NetworkInterfaceInfo {
  const common = { address, netmask: '', mac: '', internal: false, cidr: null, ...more }
  return family === 'IPv4' ? { ...common, family } : { ...common, family, scopeid: 0, ...more }
}

const interfaces = () => ({
  lo: [info('127.0.0.1', 'IPv4', { internal: true })],
  docker0: [info('172.17.0.1', 'IPv4')],
  wlan0: [
    info('2001:db8::7', 'IPv6'),
    { ...info('fe80::1', 'IPv6'), scopeid: 3 } as NetworkInterfaceInfo,
    info('192.168.1.20', 'IPv4'),
  ],
})

function addresses(config: Partial<AddressConfig>, port = 7070) {
  const plain: AddressConfig = { host: '127.0.0.1', origins: [], workshop: false, https: null }
  return createAddresses({ ...plain, ...config }, () => port, interfaces)
}

describe('the addresses of a workshop', () => {
  it('are those of this machine’s networks, when it listens on all of them', () => {
    const { room, here, hasHost, hasOrigin, names } = addresses({ host: '::', workshop: true })
    expect(room()).toEqual(['http://192.168.1.20:7070', 'http://[2001:db8::7]:7070'])
    expect(here()).toBe('http://127.0.0.1:7070')
    expect(hasHost({ host: '192.168.1.20:7070' })).toBe(true)
    expect(hasOrigin('http://192.168.1.20:7070')).toBe(true)
    expect(hasHost({ host: '[2001:db8::7]:7070' })).toBe(true)
    expect(hasOrigin('http://[2001:db8::7]:7070')).toBe(true)
    expect(hasHost({ host: '192.168.1.20:7071' })).toBe(false)
    expect(hasHost({ host: 'evil.example:7070' })).toBe(false)
    expect(names()).toEqual(['127.0.0.1', 'localhost', '::1', '192.168.1.20', '2001:db8::7'])
  })

  it('are those of IPv4 alone, when it listens on no other', () => {
    const { room, hasHost } = addresses({ host: '0.0.0.0', workshop: true })
    expect(room()).toEqual(['http://192.168.1.20:7070'])
    expect(hasHost({ host: '[2001:db8::7]:7070' })).toBe(false)
  })

  it('are those of IPv6 where the network has no other; an IPv4 address that nobody gave comes last', () => {
    const onlyIpv6 = () => ({ wlan0: [info('169.254.9.9', 'IPv4'), info('2001:db8::7', 'IPv6')] })
    const config: AddressConfig = { host: '::', origins: [], workshop: true, https: null }
    const { room } = createAddresses(config, () => 7070, onlyIpv6)
    expect(room()).toEqual(['http://[2001:db8::7]:7070', 'http://169.254.9.9:7070'])
  })

  it('are those of the proxy, https first', () => {
    const origins = ['http://labs.example:8080', 'https://labs.example']
    expect(addresses({ origins, workshop: true }).room()).toEqual(['https://labs.example', 'http://labs.example:8080'])
  })

  it('are the chosen one, or this machine’s when nothing else reaches it', () => {
    expect(addresses({ host: '192.168.1.20', workshop: true }).room()).toEqual(['http://192.168.1.20:7070'])
    expect(addresses({ workshop: true }).room()).toEqual(['http://127.0.0.1:7070'])
  })

  it('are not accepted without a workshop', () => {
    expect(addresses({ host: '0.0.0.0' }).hasHost({ host: '192.168.1.20:7070' })).toBe(false)
  })
})

describe('https', () => {
  it('is part of every address when the server serves it', () => {
    const secure = addresses({ host: '0.0.0.0', workshop: true, https: 'self-signed' }, 443)
    expect(secure.room()[0]).toBe('https://192.168.1.20')
    expect([secure.hasHost({ host: '192.168.1.20' }), secure.hasHost({ host: '192.168.1.20:443' })]).toEqual([
      true,
      true,
    ])
    expect(secure.hasOrigin('http://192.168.1.20')).toBe(false)
    expect(secure.isSecure({ host: '192.168.1.20' })).toBe(true)
  })

  it('makes the cookie secure on the proxy’s address, and not on this machine’s', () => {
    const { isSecure } = addresses({ origins: ['https://labs.example', 'http://plain.example'] })
    expect(isSecure({ host: 'Labs.example' })).toBe(true)
    expect(isSecure({ host: 'plain.example' })).toBe(false)
    expect(isSecure({ host: '127.0.0.1:7070' })).toBe(false)
    expect(isSecure({})).toBe(false)
  })
})
