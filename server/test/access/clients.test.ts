/** The addresses of clients, and a server for both families. */
import { auditResponse, newInvitation } from '@expresslane/shared/wire/board'
import { describe, expect, it } from 'vitest'
import { clientAddress, clientNetwork } from '../../src/access/clients.ts'
import { listenOn } from '../../src/serve.ts'
import { browser } from '../support/http/browser.ts'
import { person } from '../support/http/people.ts'
import { startServer } from '../support/http/server.ts'

describe('the address of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:1:0:0:0:7', '2001:db8:0:1::7', '2001:db8:0:1::/64'],
    ['2001:db8:0:1:ffff::1', '2001:db8:0:1:ffff::1', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80::1', 'fe80::1'],
    ['febf::2', 'febf::2', 'febf::2'],
    ['fec0::2', 'fec0::2', 'fec0::/64'],
    ['::1', '::1', '::1'],
    ['no address', 'no address', 'no address'],
  ])('%s is shown as %s and counted as %s', (ip, address, network) => {
    expect([clientAddress(ip), clientNetwork(ip)]).toEqual([address, network])
  })
})

describe('listening on all addresses', () => {
  const fails = (code: string) => Object.assign(new Error(code), { code })

  it.each(['EAFNOSUPPORT', 'EADDRNOTAVAIL'])('falls back to IPv4 where IPv6 is off: %s', async (code) => {
    const tried: string[] = []
    await listenOn('::', async (host) => {
      tried.push(host)
      if (host === '::') throw fails(code)
    })
    expect(tried).toEqual(['::', '0.0.0.0'])
  })

  it.each([
    ['::', 'EADDRINUSE'],
    ['2001:db8::7', 'EADDRNOTAVAIL'],
  ])('reports any other failure: %s %s', async (host, code) => {
    await expect(listenOn(host, () => Promise.reject(fails(code)))).rejects.toMatchObject({ code })
  })
})

describe('a workshop on both families', () => {
  const env = { EXPRESSLANE_WORKSHOP: '1' }

  it('lets people in over IPv6, with its address in brackets as Host and Origin', async () => {
    const server = await startServer({ env })
    const instructor = person(server, server.token)
    const { link } = await instructor.read(newInvitation, '/api/room/invitations', 201, { role: 'participant' })
    const guest = browser(server.port, `[::1]:${server.port}`, '::1')
    expect((await guest.open(new URL(link).pathname)).headers.location).toBe('/join')
    expect(await guest.tries('POST', '/api/join', { name: 'Anna' })).toEqual([201, null])
    expect((await guest.me())?.name).toBe('Anna')
    const { closed } = await guest.stream()
    server.deps.people.remove((await guest.me())?.id ?? '')
    expect(await closed).toBe(4003)
    expect(await browser(server.port, '[::2]:7070', '::1').tries('GET', '/api/me')).toEqual([403, 'forbidden_host'])
  })

  it('records an IPv4 client by its IPv4 address, also behind a proxy on this machine', async () => {
    const server = await startServer({ env: { ...env, EXPRESSLANE_ORIGINS: 'https://labs.example' } })
    const asked = { method: 'PUT', body: '{"paused":true}' }
    const headers = { 'content-type': 'application/json' }
    await server.call('/api/room/queue', { ...asked, headers })
    await server.call('/api/room/queue', { ...asked, headers: { ...headers, 'x-forwarded-for': '::ffff:192.0.2.9' } })
    const { entries } = auditResponse.parse(JSON.parse((await server.call('/api/audit')).text))
    expect(entries.map(({ address }) => address)).toEqual(['192.0.2.9', '127.0.0.1'])
  })
})
