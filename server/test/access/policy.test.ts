/** The whole table of routes and frames by role, tried on a real socket. */
import { streamFrame } from '@expresslane/shared/wire/stream'
import { role } from '@expresslane/shared/wire/room'
import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createAccess } from '../../src/access/access.ts'
import { createAddresses } from '../../src/access/addresses.ts'
import { framePolicy } from '../../src/access/policy.ts'
import { createWrongKeys } from '../../src/access/wrong-keys.ts'
import { guard } from '../../src/routes/http/gate.ts'
import { testClock } from '../support/clock.ts'
import { dataDir, testConfig } from '../support/deps.ts'
import { knockStream } from '../support/http/knock.ts'
import { classroom } from '../support/http/people.ts'
import { addressOf, bodyOf, lines } from '../support/http/routes.ts'

describe('the table of routes', () => {
  it('refuses each role what it may not call, before anything else is looked at', async () => {
    const { instructor, hers, viewer } = await classroom()
    const people = { instructor, participant: hers, viewer }
    for (const { method, route, callers } of lines) {
      for (const one of role.options) {
        const { status, text } = await people[one].call(addressOf(route), bodyOf(method, route), method)
        const refused = status === 403 && text.includes('"not_allowed"')
        expect([method, route, one, refused]).toEqual([
          method,
          route,
          one,
          typeof callers !== 'string' && !callers.includes(one),
        ])
      }
    }
  })

  it('lets nobody call anything without a login, but for the lines that say so', async () => {
    const { server } = await classroom()
    for (const { method, route, callers } of lines) {
      const { status } = await server.ask(addressOf(route), { method })
      // The link without a token is refused like a request without one.
      if (route !== '/open') expect([method, route, status === 401]).toEqual([method, route, Array.isArray(callers)])
    }
    const open = lines.filter(({ callers }) => !Array.isArray(callers)).map(({ route }) => route)
    const ofPlatforms = ['/lti/jwks', '/lti/launch', '/lti/login', '/lti/login']
    const links = ['/f/:code', '/healthz', '/j/:code']
    expect(open.toSorted()).toEqual([
      '/*',
      '/api/join',
      ...links,
      ...ofPlatforms,
      '/open',
      '/readyz',
      '/site',
      '/site/*',
    ])
  })

  it('opens a WebSocket for nobody without a login, at no address', async () => {
    const { server } = await classroom({ env: { EXPRESSLANE_WORKSHOP: '1' } })
    for (const { method, route } of lines) {
      if (method === 'GET') expect([route, await knockStream(server.port, {}, addressOf(route))]).toEqual([route, 401])
    }
  })

  it('counts HEAD as GET', async () => {
    const { viewer, hers } = await classroom()
    expect((await viewer.call('/api/runs', undefined, 'HEAD')).status).toBe(403)
    expect((await hers.call('/api/runs', undefined, 'HEAD')).status).toBe(200)
    expect((await hers.call('/api/audit', undefined, 'HEAD')).status).toBe(403)
  })

  it('gives a viewer nothing that changes anything, but for an answer to a question and a log-out', () => {
    const theirs = lines.filter(({ callers }) => Array.isArray(callers) && callers.includes('viewer'))
    expect(theirs.filter(({ method }) => method !== 'GET').map(({ route }) => route)).toEqual([
      '/api/me/logout',
      '/api/presentation/answers',
    ])
  })

  it('has a line for each route, or the server does not start', () => {
    const server = fastify()
    const port = (): number => 0
    guard(
      server,
      createAccess({
        addresses: createAddresses(testConfig(dataDir()), port),
        keys: [],
        guest: () => null,
        holdsLogin: () => true,
        port,
        workshop: false,
      }),
      createWrongKeys(testClock()),
    )
    expect(() => server.get('/api/forgotten', async () => '')).toThrow('GET /api/forgotten has no line')
    expect(() => server.post('/api/me', async () => '')).toThrow('POST /api/me has no line')
  })

  it('has no line for a route that does not exist', async () => {
    const { instructor } = await classroom()
    for (const { method, route } of lines) {
      const { status, text } = await instructor.call(addressOf(route), bodyOf(method, route), method)
      const missing = status === 405 || text.includes('Nothing exists at this address')
      expect([method, route, missing]).toEqual([method, route, false])
    }
  })
})

describe('the stream', () => {
  it('opens for each role, and for nobody else', async () => {
    const { server } = await classroom()
    const tokens = [server.token, 'alice-token', 'viewer-token', 'other-token']
    const answers = await Promise.all(
      tokens.map((token) => knockStream(server.port, { authorization: `Bearer ${token}` })),
    )
    expect(answers).toEqual([101, 101, 101, 401])
    expect(await knockStream(server.port)).toBe(401)
  })

  it('has a line for each frame', () => {
    expect(Object.keys(framePolicy).toSorted()).toEqual(
      streamFrame.options.map(({ shape }) => shape.type.value).toSorted(),
    )
  })
})

describe('GET /api/me', () => {
  it('says who asks', async () => {
    const { instructor, hers, viewer } = await classroom()
    const names = [instructor, hers, viewer].map(async (who) => (await who.call('/api/me')).text)
    expect(await Promise.all(names)).toEqual([
      '{"id":"owner","role":"instructor","name":"Instructor","workshop":false,"mostSeconds":null,"records":false}',
      '{"id":"alice","role":"participant","name":"alice","workshop":false,"mostSeconds":120,"records":false}',
      '{"id":"viewer","role":"viewer","name":"Viewer","workshop":false,"mostSeconds":120,"records":false}',
    ])
  })
})
