/** Strangers are let in or refused: real requests over a real socket. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sessionView } from '@expresslane/shared/wire/protocol'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { serve, type Serving } from '../../src/serve.ts'
import { dataDir, testConfig } from '../support/deps.ts'
import { fakeOutside } from '../support/fakes/fake-outside.ts'
import { knockStream, problemOf } from '../support/http/knock.ts'
import { ask as knock } from '../support/http/server.ts'

interface Reached extends Serving {
  readonly data: string
  readonly host: string
  readonly origin: string
  readonly bearer: { authorization: string }
}

/** @param atEnd of the test, if it is not of several */
async function reach(
  env: Record<string, string> = {},
  page: 'built' | 'missing' = 'built',
  atEnd: (end: () => void | Promise<void>) => void = onTestFinished,
): Promise<Reached> {
  const data = dataDir(atEnd)
  const webDir = join(data, 'page')
  if (page === 'built') {
    mkdirSync(join(webDir, 'assets'), { recursive: true })
    writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>page</title>')
    writeFileSync(join(webDir, 'assets', 'app-1a2b3c.js'), 'export {}')
  }
  const serving = await serve({ ...testConfig(data, env), webDir }, fakeOutside().outside)
  atEnd(() => serving.stop())
  const host = `127.0.0.1:${serving.port}`
  const bearer = { authorization: `Bearer ${serving.token}` }
  return { ...serving, data, host, origin: `http://${host}`, bearer }
}

/** Shared by the tests that leave a server as it was. */
let common: Reached
const ends: (() => void | Promise<void>)[] = []
beforeAll(async () => {
  common = await reach({}, 'built', (end) => ends.push(end))
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Opens the printed link. @returns the cookie as a browser sends it back */
async function login({ port, host, token }: Reached): Promise<string> {
  const { headers } = await knock(port, `/open?token=${encodeURIComponent(token)}`, { headers: { host } })
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

const json = { 'content-type': 'application/json' }
const newSession = JSON.stringify({ labId: 'big-tcp-ipv4' })

describe('Host', () => {
  it.each(['evil.example', 'evil.example:7070', '127.0.0.1', '127.0.0.1:1', 'localhost.evil.example:7070'])(
    'refuses %j before it looks at the token, as DNS rebinding needs it',
    async (host) => {
      const { port, bearer } = common
      const answer = await knock(port, '/api/labs', { headers: { host, ...bearer } })
      expect([answer.status, problemOf(answer).code]).toEqual([403, 'forbidden_host'])
      expect(await knockStream(port, { host, ...bearer })).toBe(403)
    },
  )

  it('answers to every name of this machine, in any case', async () => {
    const { port, bearer } = common
    for (const name of ['127.0.0.1', 'localhost', 'LOCALHOST', '[::1]']) {
      const answer = await knock(port, '/api/labs', { headers: { host: `${name}:${port}`, ...bearer } })
      expect(answer.status, name).toBe(200)
    }
  })

  it('answers to the origins that are configured', async () => {
    const { port, bearer } = await reach({ EXPRESSLANE_ORIGINS: 'https://labs.example.org, http://other:8080' })
    const headers = { host: 'labs.example.org', origin: 'https://labs.example.org', ...bearer }
    expect((await knock(port, '/api/labs', { headers })).status).toBe(200)
    const insecure = { ...headers, origin: 'http://labs.example.org' }
    expect(problemOf(await knock(port, '/api/labs', { headers: insecure })).code).toBe('forbidden_origin')
  })

  it('gives no cookie to a rebound name', async () => {
    const { port, token } = common
    const answer = await knock(port, `/open?token=${token}`, { headers: { host: 'evil.example' } })
    expect(answer.status).toBe(403)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })
})

describe('Origin', () => {
  it.each(['https://evil.example', 'http://localhost:1', 'http://127.0.0.1', 'null', 'file://'])(
    'refuses %s, with the cookie or the token',
    async (origin) => {
      const { port, host, bearer } = common
      const cookie = await login(common)
      for (const credentials of [bearer, { cookie }]) {
        const headers = { host, origin, ...credentials }
        expect(problemOf(await knock(port, '/api/runs', { headers })).code).toBe('forbidden_origin')
        const post = { method: 'POST', headers: { ...headers, ...json }, body: newSession }
        expect(problemOf(await knock(port, '/api/sessions', post)).code).toBe('forbidden_origin')
        expect(await knockStream(port, headers)).toBe(403)
      }
      expect(common.deps.store.sessions.all()).toEqual([])
    },
  )

  it('refuses the cookie alone where a browser would have sent the origin', async () => {
    const reached = await reach()
    const { port, host, origin } = reached
    const cookie = await login(reached)
    const post = { method: 'POST', headers: { host, cookie, ...json }, body: newSession }
    expect(problemOf(await knock(port, '/api/sessions', post)).code).toBe('forbidden_origin')
    expect(await knockStream(port, { host, cookie })).toBe(403)
    expect((await knock(port, '/api/runs', { headers: { host, cookie } })).status).toBe(200)
    expect(await knockStream(port, { host, cookie, origin })).toBe(101)
    const fromPage = { ...post, headers: { ...post.headers, origin } }
    const made = await knock(port, '/api/sessions', fromPage)
    expect(made.status).toBe(201)
    expect(sessionView.parse(JSON.parse(made.text)).session.labId).toBe('big-tcp-ipv4')
  })

  it.each(['cross-site', 'same-site'])('refuses a fetch that the browser calls %s', async (site) => {
    const { port, host } = common
    const headers = { host, cookie: await login(common), 'sec-fetch-site': site }
    expect(problemOf(await knock(port, '/api/testbeds?fresh=true', { headers })).code).toBe('forbidden_origin')
  })
})

describe('the token', () => {
  it('is asked for by every route under /api, by the stream, and by whatever does not exist', async () => {
    const { port, host } = common
    const headers = { host }
    const id = '00000000'
    for (const [method, path] of [
      ['GET', '/api/labs'],
      ['GET', '/api/testbeds'],
      ['POST', '/api/sessions'],
      ['GET', '/api/sessions'],
      ['GET', `/api/sessions/s_${id}`],
      ['POST', `/api/sessions/s_${id}/steps/deploy/run`],
      ['POST', `/api/sessions/s_${id}/reset`],
      ['POST', `/api/runs/r_${id}/cancel`],
      ['GET', '/api/runs'],
      ['GET', `/api/runs/r_${id}`],
      ['GET', '/api/stream'],
      ['GET', '/api/openapi.json'],
      ['GET', '/api/nothing'],
      ['DELETE', '/api/runs'],
      ['GET', '/%61pi/labs'],
      ['GET', '/api/../api/labs'],
    ] as const) {
      const answer = await knock(port, path, { method, headers })
      expect([path, answer.status, problemOf(answer).code]).toEqual([path, 401, 'unauthorized'])
      expect(answer.headers['cache-control']).toBe('no-store')
    }
    expect(await knockStream(port, headers)).toBe(401)
  })

  it.each(['Bearer ', 'Bearer wrong', 'Basic d3Jvbmc=', 'Bearer wrong wrong'])('refuses %j', async (authorization) => {
    const { port, host, token } = await reach()
    for (const one of [authorization, authorization.replaceAll('wrong', token.slice(0, -1))]) {
      expect((await knock(port, '/api/labs', { headers: { host, authorization: one } })).status).toBe(401)
    }
    expect(await knockStream(port, { host, authorization })).toBe(401)
  })

  it('works for scripts as Bearer, without any origin', async () => {
    const { port, host, bearer } = await reach({ EXPRESSLANE_TOKEN: 'a-token-of-my-own' })
    expect(bearer.authorization).toBe('Bearer a-token-of-my-own')
    const headers = { host, ...bearer }
    expect((await knock(port, '/api/labs', { headers })).status).toBe(200)
    const post = { method: 'POST', headers: { ...headers, ...json }, body: newSession }
    expect((await knock(port, '/api/sessions', post)).status).toBe(201)
    expect(await knockStream(port, headers)).toBe(101)
  })

  it('is kept in the data directory for its owner alone, and lives on when the server restarts', async () => {
    const { data, token, stop } = await reach()
    expect(statSync(join(data, 'token')).mode & 0o777).toBe(0o600)
    expect(token).toMatch(/^[\w-]{32}$/)
    await stop()
    const again = await serve(testConfig(data), fakeOutside().outside)
    onTestFinished(() => again.stop())
    expect(again.token).toBe(token)
  })
})

describe('the printed link', () => {
  it('gives a cookie that scripts and other sites never get, and that is not the token', async () => {
    const { port, host, token, link } = common
    const answer = await knock(port, new URL(link).pathname + new URL(link).search, { headers: { host } })
    expect(answer.status).toBe(303)
    expect(answer.headers.location).toBe('/')
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers['referrer-policy']).toBe('no-referrer')
    const cookie = answer.headers['set-cookie']?.[0] ?? ''
    expect(cookie).toContain(`expresslane_${port}=`)
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(attribute)
    expect(cookie).not.toContain(token)
  })

  it.each(['', '?token=', '?token=wrong', '?token=a&token=b'])('refuses %j', async (query) => {
    const { port, host } = await reach()
    const answer = await knock(port, `/open${query}`, { headers: { host, accept: 'text/html' } })
    expect(answer.status).toBe(query.includes('&') ? 400 : 401)
    expect(answer.headers['content-type']).toContain('text/plain')
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it.each([
    ['/labs/big-tcp-ipv4?session=1#top', '/labs/big-tcp-ipv4?session=1#top'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/..//evil.example', '/'],
    ['https://evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['labs', '/'],
    ['http://expresslane.invalid/', '/'],
  ])('goes on to %j as %s, and never to another server', async (to, location) => {
    const { port, host, token } = common
    const query = new URLSearchParams({ token, to })
    const answer = await knock(port, `/open?${query.toString()}`, { headers: { host } })
    expect([answer.status, answer.headers.location]).toEqual([303, location])
  })
})

describe('the open routes', () => {
  it('is health and the page’s own files, under a strict policy', async () => {
    const { port, host } = common
    expect((await knock(port, '/healthz', { headers: { host } })).text).toContain('"status":"ok"')
    const page = await knock(port, '/', { headers: { host } })
    expect(page.text).toContain('<title>page</title>')
    expect(page.headers['cache-control']).toBe('no-store')
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe-eval')
    expect(policy).not.toContain('upgrade-insecure-requests')
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    expect(page.headers['strict-transport-security']).toBeUndefined()
    const asset = await knock(port, '/assets/app-1a2b3c.js', { headers: { host } })
    expect(asset.headers['cache-control']).toContain('immutable')
    expect((await knock(port, '/sessions/s_1', { headers: { host } })).text).toBe(page.text)
  })

  it.each([
    '/../token',
    '/assets/../../token',
    '/%2e%2e/token',
    '/..%2ftoken',
    '/assets/%2e%2e%2f%2e%2e%2ftoken',
    '/....//token',
    '/assets\\..\\..\\token',
    '/%00token',
    '//token',
    '/.hidden',
  ])('never a file beside them: %s', async (path) => {
    const { port, host, token } = common
    const answer = await knock(port, path, { headers: { host } })
    expect(answer.text).not.toContain(token)
  })

  it('says so when the page is not built, and serves the API', async () => {
    const { port, host, bearer } = await reach({}, 'missing')
    const page = await knock(port, '/', { headers: { host } })
    expect(page.status).toBe(503)
    expect(page.text).toContain('npm start')
    expect((await knock(port, '/api/labs', { headers: { host, ...bearer } })).status).toBe(200)
  })
})
