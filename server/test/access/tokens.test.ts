/** Guessing the token, what is asked of it, and the logs, which never show it. */
import { connect } from 'node:net'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createWrongKeys } from '../../src/access/wrong-keys.ts'
import { withoutSecrets } from '../../src/access/redact.ts'
import { passing, testClock } from '../support/clock.ts'
import { knockStream } from '../support/http/knock.ts'
import { startMain } from '../support/http/process.ts'
import { startServer } from '../support/http/server.ts'

const HERE = '192.0.2.1'

describe('a wrong token', () => {
  it('is answered later each time, and the same one again as soon as the first', async () => {
    const clock = testClock()
    const wrong = createWrongKeys(clock)
    async function delayOf(key: string, address = HERE): Promise<number> {
      const begun = clock.now()
      await passing(clock, wrong.late(address, key))
      return clock.now() - begun
    }
    const delays: number[] = []
    for (const key of ['one', 'two', 'three', 'four', 'five', 'six']) delays.push(await delayOf(key))
    expect(delays).toEqual([250, 500, 1000, 2000, 4000, 4000])
    expect(await delayOf('one')).toBe(250)
    expect(await delayOf('another', '192.0.2.2')).toBe(250)
    clock.advance(10 * 60_000)
    expect(await delayOf('seven')).toBe(250)
  })

  it('is refused at once while very many wait, which costs no more connections', async () => {
    const clock = testClock()
    const wrong = createWrongKeys(clock)
    const waiting = Array.from({ length: 500 }, (_, index) => wrong.late(HERE, `key ${index}`))
    await expect(wrong.late(HERE, 'one more')).rejects.toMatchObject({ code: 'too_many_attempts' })
    clock.advance(4000)
    await Promise.all(waiting)
    const again = wrong.late(HERE, 'one more')
    clock.advance(4000)
    await again
  })

  it.each([
    ['in the link', '/open?token=guess', {}],
    ['as Bearer', '/api/labs', { authorization: 'Bearer guess' }],
    ['as a cookie', '/api/labs', { cookie: 'expresslane_PORT=guess' }],
  ])('is delayed %s, and the right one is not', async (_where, path, headers) => {
    const clock = testClock()
    const server = await startServer({ clock })
    let answered = false
    const guess = server.ask(path, {
      headers: Object.fromEntries(
        Object.entries<string>(headers).map(([name, value]) => [name, value.replace('PORT', String(server.port))]),
      ),
    })
    void guess.then(() => (answered = true))
    // The clock stands still: these are answered, and the guess is not.
    expect((await server.call('/api/labs')).status).toBe(200)
    expect((await server.ask(`/open?token=${server.token}`)).status).toBe(303)
    expect((await server.ask('/api/labs')).status).toBe(401)
    expect(answered).toBe(false)
    expect((await passing(clock, guess)).status).toBe(401)
  })

  it('is delayed where it opens the stream', async () => {
    const clock = testClock()
    const { port, call } = await startServer({ clock })
    let answered = false
    const guess = knockStream(port, { authorization: 'Bearer guess' })
    void guess.then(() => (answered = true))
    expect((await call('/api/labs')).status).toBe(200)
    expect(answered).toBe(false)
    expect(await passing(clock, guess)).toBe(401)
  })
})

describe('a token that other machines can guess', () => {
  it.each([
    ['on another address', { HOST: '0.0.0.0' }],
    ['behind a proxy', { EXPRESSLANE_ORIGINS: 'https://labs.example.org' }],
    ['in a workshop', { EXPRESSLANE_WORKSHOP: '1', HOST: '127.0.0.1' }],
  ])('needs 16 characters %s, and is not repeated', async (_where, env) => {
    const token = 'fifteen-charact'
    const error: unknown = await startServer({ env: { ...env, EXPRESSLANE_TOKEN: token } }).catch((one: unknown) => one)
    expect(error).toMatchObject({ code: 'config_invalid', message: expect.stringContaining('16 characters') })
    expect(JSON.stringify(error) + String(error)).not.toContain(token)
  })

  it.each([{}, { EXPRESSLANE_ORIGINS: 'http://localhost:8080' }])('needs 8 on this machine: %j', async (env) => {
    expect((await startServer({ env: { ...env, EXPRESSLANE_TOKEN: 'eight-ch' } })).token).toBe('eight-ch')
  })
})

/** Sends a request line as it stands, whatever is in it. */
async function send(port: number, address: string, method = 'GET'): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.end(`${method} ${address} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
  socket.resume()
  await once(socket, 'close')
}

/** A token without letters: upper case, lower case and URL encoding leave it as it is. */
const SECRET = '0123456789-98765.43210_135'
function percent(text: string): string {
  return Array.from(text, (char) => `%${char.charCodeAt(0).toString(16)}`).join('')
}
const encoded = percent(SECRET)

const codeSpellings = (code: string): readonly string[] => [
  `/f/${code}`,
  `/F/${code}`,
  `/j/${code.toLowerCase()}`,
  `//f/${code}`,
  `/./j/${code}`,
  `/%66/${code}`,
  `/f%2F${code}`,
  `/j/${percent(code)}?again`,
  `/f/${code}/x`,
  `/f/%zz${code}`,
  `/f/%ff${code}`,
  `/f\\${code}`,
  `/f;${code}`,
  `/f?${code}`,
  `/j${code}`,
  `/${code}`,
  `/follow/${code}`,
  `/join/${code}`,
  `/join?code=${code}`,
  `/api/join/${code}`,
  `/api/join?${code}`,
  `/api/me?code=${code}`,
  `/x#/f/${code}`,
  `http://127.0.0.1/f/${code}`,
  `/f/${code}${'a'.repeat(300)}`,
  `/%252525252566/${code}`,
]

const spellings = [
  `/open?token=${SECRET}`,
  `/open?TOKEN=${SECRET}`,
  `/OPEN?token=${SECRET}`,
  `//open?token=${SECRET}`,
  `/open//?token=${SECRET}`,
  `/open/?token=${SECRET}`,
  `/./open?token=${SECRET}`,
  `/x/../open?token=${SECRET}`,
  `/%6fpen?token=${SECRET}`,
  `/%6F%70%65%6E?%74%6F%6B%65%6E=${SECRET}`,
  `/open?%74oken=${encoded}`,
  `/open?%2574oken=${SECRET}`,
  `/open%3Ftoken=${SECRET}`,
  `/open%253Ftoken%253D${SECRET}`,
  `/open;token=${SECRET}`,
  `/open&token=${SECRET}`,
  `/open/token=${SECRET}`,
  `/open/${SECRET}`,
  `/open?to=/labs&token=${SECRET}`,
  `/open?to=%2Fopen%3Ftoken%3D${SECRET}`,
  `/open?x=%ff&token=${SECRET}`,
  `/%ff/open?token=${SECRET}`,
  `/open%00?token=${SECRET}`,
  `/open#token=${SECRET}`,
  `\\open?token=${SECRET}`,
  `/api/open?token=${SECRET}`,
  `/api/labs?token=${SECRET}`,
  `http://127.0.0.1/open?token=${SECRET}`,
  `http://127.0.0.1//OPEN?Token=${SECRET}`,
  `/%252525256fpen?%252525252574oken=${SECRET}`,
]

describe('a log', () => {
  it('shows the token in no spelling of the link, at any level', async () => {
    const program = startMain({ EXPRESSLANE_TOKEN: SECRET, LOG_LEVEL: 'trace' })
    const { port } = await program.ready
    await send(port, '/api/labs')
    for (const address of spellings) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT']) await send(port, address, method)
    }
    program.child.kill('SIGTERM')
    const { out, err } = await program.ended
    const log = `${out}${err}`.toLowerCase()
    expect(log).toContain('"url":"/api/labs"')
    expect(log).not.toContain(SECRET)
    expect(log).not.toContain(encoded.toLowerCase())
  })

  it.each([
    ['a code to type', 'QXZ234'],
    ['the code of a link', SECRET],
  ])('shows %s in no spelling of its link, at any level', async (_what, code) => {
    const program = startMain({ EXPRESSLANE_WORKSHOP: '1', HOST: '127.0.0.1', LOG_LEVEL: 'trace' })
    const { port } = await program.ready
    for (const address of codeSpellings(code)) {
      for (const method of ['GET', 'HEAD', 'POST']) await send(port, address, method)
    }
    program.child.kill('SIGTERM')
    const { out, err } = await program.ended
    const log = `${out}${err}`.toLowerCase()
    expect(log).toContain('"url":"/f/…"')
    expect(log).not.toContain(code.toLowerCase())
    expect(log).not.toContain(percent(code))
  })

  it.each([
    ['/f/ABC234', '/f/…'],
    ['/j/abcdefghij?x=1', '/j/…'],
    ['/x?u=/f/ABC', '/f/…'],
    ['/api/testbeds/netns', '/api/testbeds/netns'],
    ['/api/testbeds/kubernetes%3Akind-kind', '/api/testbeds/kubernetes%3Akind-kind'],
    ['//f/ABC', '/f/…'],
    ['/%66/ABC', '/f/…'],
    ['/%2566/ABC', '/f/…'],
    ['/F/ABC', '/f/…'],
    ['/open?token=secret&to=%2Flabs', '/open…'],
    ['/%252525252566/ABC', '…'],
    ['/api/runs?limit=5', '/api/runs?limit=5'],
    ['/api/openapi.json', '/api/openapi.json'],
    ['/assets/index-1a2b3c.js', '/assets/index-1a2b3c.js'],
    ['/follow', '/follow'],
    ['/', '/'],
    ['/ABC234', '…'],
    ['/join?code=ABC234', '…'],
    ['/labs/big-tcp-ipv4/sessions/s_1', '/labs/big-tcp-ipv4/sessions/s_1'],
    ['/compare?a=r_1&b=r_2', '/compare?a=r_1&b=r_2'],
    ['/favicon.svg', '/favicon.svg'],
    ['/healthz', '/healthz'],
  ])('shows %s as %s', (url, logged) => {
    expect(withoutSecrets(url)).toBe(logged)
  })
})
