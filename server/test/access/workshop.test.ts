/** Starting a workshop: its options, its token, its certificate and what the terminal shows. */
import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { LabError } from '@expresslane/shared/base/errors'
import { describe, expect, it } from 'vitest'
import { certificateFor } from '../../src/access/certificate.ts'
import { announce, type Announced } from '../../src/announce.ts'
import { environmentOf } from '../../src/arguments.ts'
import { readConfig } from '../../src/config.ts'
import { dataDir } from '../support/deps.ts'
import { startServer } from '../support/http/server.ts'

const NOW = Date.UTC(2026, 0, 1)
const DAY = 24 * 60 * 60_000

describe('npm start -- --workshop', () => {
  it('sets what the environment can set', () => {
    const asked = ['--workshop', '--https', '--cert', 'a.crt', '--key', 'a.key', '--ssh', 'me@a', '--ssh', 'b=eth1']
    expect(environmentOf(asked, { PORT: '1' })).toEqual({
      PORT: '1',
      EXPRESSLANE_WORKSHOP: '1',
      EXPRESSLANE_HTTPS: '1',
      EXPRESSLANE_CERT: 'a.crt',
      EXPRESSLANE_KEY: 'a.key',
      EXPRESSLANE_SSH: 'me@a b=eth1',
    })
    expect(environmentOf([], { PORT: '1' })).toEqual({ PORT: '1' })
    expect(() => environmentOf(['--workshops'], {})).toThrow(LabError)
    expect(() => environmentOf(['7070'], {})).toThrow(LabError)
  })

  it('listens on all addresses, or on the chosen one, with a token of its own', () => {
    expect(readConfig({ EXPRESSLANE_WORKSHOP: '1' })).toMatchObject({ host: '::', token: null, workshop: true })
    const chosen = readConfig({ EXPRESSLANE_WORKSHOP: '1', HOST: '192.0.2.7' })
    expect(chosen).toMatchObject({ host: '192.0.2.7', token: null })
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', workshop: false, https: null })
  })

  it.each(['eight-ch', 'fifteen-charact', 'aaaaaaaaaaaaaaaaaaaaaaaa', 'abababababababababababab'])(
    'refuses the weak token %s, and does not repeat it',
    async (token) => {
      const env = { EXPRESSLANE_WORKSHOP: '1', EXPRESSLANE_TOKEN: token, HOST: '127.0.0.1' }
      const error: unknown = await startServer({ env }).catch((refused: unknown) => refused)
      expect(error).toMatchObject({ code: 'config_invalid' })
      expect(JSON.stringify(error) + String(error)).not.toContain(token)
    },
  )

  it('takes a strong token, and makes one by itself', async () => {
    const env = { EXPRESSLANE_WORKSHOP: '1', HOST: '127.0.0.1' }
    expect((await startServer({ env })).token).toMatch(/^[\w-]{32}$/)
    const token = 'a-token-of-my-own'
    expect((await startServer({ env: { ...env, EXPRESSLANE_TOKEN: token } })).token).toBe(token)
  })

  it.each([{ EXPRESSLANE_CERT: 'a.crt' }, { EXPRESSLANE_KEY: 'a.key' }])('refuses %j alone', (env) => {
    expect(() => readConfig(env)).toThrow('belong together')
  })
})

describe('a certificate', () => {
  const names = ['localhost', '127.0.0.1', '::1', '192.168.1.20']

  it('is made once for all addresses, and kept', async () => {
    const data = dataDir()
    const made = await certificateFor('self-signed', data, names, NOW)
    const read = new X509Certificate(made.cert)
    for (const ip of names.slice(1)) expect(read.checkIP(ip)).toBe(ip)
    expect(read.checkHost('localhost')).toBe('localhost')
    expect(read.ca).toBe(false)
    expect(made.fingerprint).toBe(read.fingerprint256)
    expect(statSync(join(data, 'https.key')).mode & 0o777).toBe(0o600)
    expect(await certificateFor('self-signed', data, names, NOW + 300 * DAY)).toEqual(made)
    const moved = await certificateFor('self-signed', data, [...names, '10.0.0.2'], NOW)
    expect(moved.fingerprint).not.toBe(made.fingerprint)
    const renewed = await certificateFor('self-signed', data, names, NOW + 365 * DAY)
    expect(renewed.fingerprint).not.toBe(moved.fingerprint)
    writeFileSync(join(data, 'https.key'), 'broken')
    expect((await certificateFor('self-signed', data, names, NOW)).fingerprint).not.toBe(renewed.fingerprint)
  })

  it('from the configuration must exist, be valid and fit its key', async () => {
    const [one, two] = [dataDir(), dataDir()]
    await certificateFor('self-signed', one, names, NOW)
    await certificateFor('self-signed', two, names, NOW)
    const own = { cert: join(one, 'https.crt'), key: join(one, 'https.key') }
    expect(await certificateFor(own, two, names, NOW)).toMatchObject({ selfSigned: false })
    const refusal = { code: 'config_invalid', message: expect.stringContaining('https') as string }
    await expect(certificateFor({ ...own, key: join(two, 'https.key') }, two, names, NOW)).rejects.toMatchObject(
      refusal,
    )
    await expect(certificateFor({ ...own, cert: join(one, 'none') }, two, names, NOW)).rejects.toMatchObject(refusal)
    await expect(certificateFor(own, two, names, NOW + 366 * DAY)).rejects.toMatchObject(refusal)
  })

  it('serves https, with a cookie that never travels without', async () => {
    const env = { EXPRESSLANE_WORKSHOP: '1', EXPRESSLANE_HTTPS: '1', HOST: '127.0.0.1' }
    const { link, data, certificate } = await startServer({ env })
    expect(link).toMatch(/^https:/)
    const { promise, resolve, reject } = Promise.withResolvers<{ cookie: string; fingerprint: string }>()
    const ca = readFileSync(join(data, 'https.crt'))
    request(link, { ca, agent: false }, (answer) => {
      answer.resume()
      const { fingerprint256 } = (answer.socket as TLSSocket).getPeerCertificate()
      resolve({ cookie: answer.headers['set-cookie']?.[0] ?? '', fingerprint: fingerprint256 })
    })
      .on('error', reject)
      .end()
    const { cookie, fingerprint } = await promise
    expect(cookie).toContain('Secure')
    expect(fingerprint).toBe(certificate?.fingerprint)
  })
})

describe('a proxy with https on this machine', () => {
  async function cookieBehind(proto: string, env: Record<string, string>): Promise<string> {
    const { ask, token } = await startServer({ env })
    // As nginx sends it by default: with the server's own Host.
    const { headers } = await ask(`/open?token=${token}`, { headers: { 'x-forwarded-proto': proto } })
    return headers['set-cookie']?.[0] ?? ''
  }

  it('gets a cookie that is Secure, also when it replaces Host', async () => {
    const env = { EXPRESSLANE_ORIGINS: 'https://labs.example' }
    expect(await cookieBehind('https', env)).toContain('Secure')
    expect(await cookieBehind('http', env)).toMatch(/^expresslane_(?!.*Secure)/)
    expect(await cookieBehind('https', {})).toMatch(/^expresslane_(?!.*Secure)/)
  })
})

describe('the terminal', () => {
  const announced: Announced = {
    link: 'http://127.0.0.1:7070/open?token=secret',
    origin: 'http://127.0.0.1:7070',
    linkCommand: 'npm run data -- link',
    tokenPlace: '/data/token',
    workshop: true,
    room: ['http://192.168.1.20:7070', 'http://[2001:db8::7]:7070'],
    certificate: null,
    issuer: null,
    lti: false,
    invite: (role) => `http://192.168.1.20:7070/${role === 'viewer' ? 'f' : 'j'}/CODE`,
  }

  it('shows the addresses, the links and a QR code to a person', () => {
    const text = announce(announced, true).join('\n')
    expect(text).toMatch(/^Expresslane is ready: http:\/\/127\.0\.0\.1:7070\/open\?token=secret\n/)
    for (const part of ['http://192.168.1.20:7070/f/CODE', 'http://192.168.1.20:7070/j/CODE', '[2001:db8::7]', '█']) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('self-signed')
  })

  it.each([true, false])('shows no code and no token to a log, and how to get the link: workshop %s', (workshop) => {
    const text = announce({ ...announced, workshop }, false).join('\n')
    expect(text).toMatch(/^Expresslane is ready: http:\/\/127\.0\.0\.1:7070\n/)
    expect(text).toContain('npm run data -- link')
    expect(text).toContain('/data/token')
    expect(text).not.toMatch(/CODE|█|secret/)
  })

  it.each([true, false])(
    'says that plain http is open to the network, and the way to https: to a person %s',
    (toPerson) => {
      const text = announce(announced, toPerson).join('\n')
      expect(text).toContain('plain http')
      expect(text).toContain('--https')
      const proxied = { ...announced, room: ['https://labs.example', 'http://192.168.1.20:7070'] }
      expect(announce(proxied, toPerson).join('\n')).not.toContain('plain http')
      const alone = { ...announced, workshop: false, room: ['http://127.0.0.1:7070'] }
      expect(announce(alone, toPerson).join('\n')).not.toContain('plain http')
    },
  )

  it('shows links and QR codes of a network that has only IPv6', () => {
    const room = ['http://[2001:db8::7]:7070']
    const invite: Announced['invite'] = (role) => `${room[0]}/${role === 'viewer' ? 'f' : 'j'}/CODE`
    const text = announce({ ...announced, room, invite }, true).join('\n')
    for (const part of ['  http://[2001:db8::7]:7070/f/CODE', '  http://[2001:db8::7]:7070/j/CODE', '█']) {
      expect(text).toContain(part)
    }
  })

  it('says what people will see with a self-signed certificate, and where only this machine gets in', () => {
    const certificate = { cert: '', key: '', selfSigned: true, fingerprint: 'AB:CD' }
    const text = announce({ ...announced, certificate, room: ['https://127.0.0.1:7070'] }, true).join('\n')
    expect(text).toContain('AB:CD')
    expect(text).toContain('warning')
    expect(text).toContain('this machine only')
    expect(announce({ ...announced, workshop: false }, true)).toEqual([`Expresslane is ready: ${announced.link}`])
  })
})
