/** Signed records of completed labs: how a server makes them, and how anybody verifies them. */
import { execFileSync } from 'node:child_process'
import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runAccepted, type Session } from '@expresslane/shared/wire/protocol'
import { me } from '@expresslane/shared/wire/room'
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { credential, didOf, keyIdOf, keyOf, type Credential } from '../../src/completion/credential.ts'
import { verifyRecord } from '../../src/completion/verify.ts'
import { dataDir } from '../support/deps.ts'
import { participant, person, type Person } from '../support/http/people.ts'
import { start, type Ended } from '../support/http/process.ts'
import { startServer, type ServerOptions, type TestServer } from '../support/http/server.ts'

const alice = participant('alice')
const LAST_STEP = 'restore'

async function signing(options: ServerOptions = {}): Promise<{ server: TestServer; hers: Person }> {
  const server = await startServer({ env: { EXPRESSLANE_RECORDS: '1' }, guests: [alice], ...options })
  return { server, hers: person(server, alice.token) }
}

async function solve({ deps }: TestServer, who: Person, { id }: Session, step = LAST_STEP): Promise<void> {
  const asked = { params: step === 'preflight' ? {} : { repeats: 4, seconds: 1 }, solve: true }
  const { runId } = await who.read(runAccepted, `/api/sessions/${id}/steps/${step}/run`, 202, asked)
  await deps.scheduler.settled(runId)
}

/** The text of a record of one lab, and the server that signed it. */
async function signed(options: ServerOptions = {}): Promise<{ server: TestServer; jwt: string }> {
  const { server, hers } = await signing(options)
  await solve(server, hers, await hers.begins())
  return { server, jwt: await hers.text('/api/me/record') }
}

function verify(dir: string, ...args: string[]): Promise<Ended> {
  // Neither a server nor its data: the folder of the data does not exist.
  return start('src/data.ts', { EXPRESSLANE_DATA: join(dir, 'none'), INIT_CWD: dir }, ['verify', ...args]).ended
}

async function verifyText(text: string, ...args: string[]): Promise<Ended> {
  const dir = dataDir()
  writeFileSync(join(dir, 'record.jwt'), text)
  return verify(dir, 'record.jwt', ...args)
}

const keyIn = (data: string): KeyObject => createPrivateKey(readFileSync(join(data, 'record.key')))

describe('a record', () => {
  it('has the labs that a person completed, with each verdict, signed by the server', async () => {
    const { server, jwt } = await signed()
    const record = await verifyRecord(jwt, server.deps.clock.now())
    expect(record.issuer).toBe(server.issuer)
    expect(record.credentialSubject.name).toBe('alice')
    const [lab, ...others] = record.credentialSubject.completed
    expect(others).toEqual([])
    expect(lab).toMatchObject({ lab: 'big-tcp-ipv4', title: 'BIG TCP over IPv4', testbed: 'netns' })
    expect(lab?.digest).toMatch(/^[0-9a-f]{24}$/)
    const { store, log } = server.deps
    const runs = store.runs.ofSession(store.sessions.of('alice')[0]?.id ?? '')
    const compared = runs.flatMap(({ id }) => log.state(id)?.comparisons ?? [])
    expect(lab?.comparisons).toMatchObject(
      compared.map(({ comparison: { rows, on } }) => {
        const { metric, verdict, ratio, interval } = rows[0] ?? {}
        return { arm: on.name, metric, verdict, ratio, interval }
      }),
    )
    expect(compared).toHaveLength(1)
    expect(Date.parse(lab?.completedAt ?? '')).toBeLessThanOrEqual(Date.parse(record.validFrom))
  })

  it('leaves out a lab until its last step with an action has passed, and after a reset', async () => {
    const { server, hers } = await signing()
    const session = await hers.begins()
    expect(await hers.tries('/api/me/record')).toEqual([409, 'step_not_ready'])
    await solve(server, hers, session, 'compare')
    expect(await hers.tries('/api/me/record')).toEqual([409, 'step_not_ready'])
    await solve(server, hers, session)
    expect(await hers.tries('/api/me/record')).toEqual([200, null])
    const { runId } = await hers.read(runAccepted, `/api/sessions/${session.id}/reset`, 202, {})
    await server.deps.scheduler.settled(runId)
    expect(await hers.tries('/api/me/record')).toEqual([409, 'step_not_ready'])
  })

  it('is of the person who asks alone', async () => {
    const bob = participant('bob')
    const { server, hers } = await signing({ guests: [alice, bob] })
    await solve(server, hers, await hers.begins())
    expect(await person(server, bob.token).tries('/api/me/record')).toEqual([409, 'step_not_ready'])
    expect(await person(server, server.token).tries('/api/me/record')).toEqual([409, 'step_not_ready'])
  })

  it('does not exist on a server that does not sign records', async () => {
    const { server, hers } = await signing({ env: {} })
    await solve(server, hers, await hers.begins())
    expect(await hers.tries('/api/me/record')).toEqual([404, 'not_found'])
    expect((await hers.read(me, '/api/me')).records).toBe(false)
    expect(() => statSync(join(server.data, 'record.key'))).toThrow('ENOENT')
  })
})

describe('the key of a server', () => {
  it('is private, and the same after a restart', async () => {
    const { server } = await signing()
    expect(statSync(join(server.data, 'record.key')).mode & 0o777).toBe(0o600)
    await server.stop()
    expect((await signing({ data: server.data })).server.issuer).toBe(server.issuer)
  })

  it.each([
    ['no key', 'nothing'],
    [
      'a key of another kind',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    ],
  ])('stops the start when its file holds %s', async (_what, text) => {
    const data = dataDir()
    writeFileSync(join(data, 'record.key'), text, { mode: 0o600 })
    await expect(signing({ data })).rejects.toMatchObject({ code: 'config_invalid' })
  })

  it('has the name that did:key gives it', () => {
    // The first test vector of https://w3c-ccg.github.io/did-key-spec/#ed25519-x25519
    const did = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'
    const key = keyOf(did)
    expect(Buffer.from(key?.x ?? '', 'base64url').toString('hex')).toBe(
      '3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29',
    )
    expect(didOf(key?.x ?? '')).toBe(did)
    expect(keyOf('did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169')).toBeNull()
    expect(keyOf('did:web:example.org')).toBeNull()
  })
})

describe('npm run data -- verify', () => {
  it('says who signed a record, for whom and which labs, and what that proves', async () => {
    const { server, jwt } = await signed()
    const { code, out } = await verifyText(jwt)
    expect(code).toBe(0)
    for (const part of [server.issuer ?? '', 'alice', 'BIG TCP over IPv4', 'tps ×', 'does not prove who issued'])
      expect(out).toContain(part)
    const required = await verifyText(jwt, '--issuer', server.issuer ?? '')
    expect(required).toMatchObject({ code: 0 })
    expect(required.out).toContain('The key is the required one.')
  })

  it('refuses the record of another issuer than the required one', async () => {
    const { jwt } = await signed()
    const other = didOf(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? '')
    const { code, err } = await verifyText(jwt, '--issuer', other)
    expect(code).toBe(1)
    expect(err).toContain(`Another key signed this record`)
  })

  it('refuses files that are none, too large or no record, and never waits for a pipe', async () => {
    const dir = dataDir()
    execFileSync('mkfifo', [join(dir, 'pipe')])
    writeFileSync(join(dir, 'large'), Buffer.alloc(5 * 1024 * 1024, 'a'))
    writeFileSync(join(dir, 'empty'), '')
    for (const [name, reason] of [
      ['pipe', 'it is not a file'],
      ['large', 'more than 4 MB'],
      ['missing', 'ENOENT'],
      ['.', 'it is not a file'],
      ['empty', 'is not a signed record'],
    ] as const) {
      const { code, err } = await verify(dir, name)
      expect(code, name).toBe(1)
      expect(err).toContain(reason)
    }
    expect((await verify(dir)).err).toContain('needs the file')
  })
})

describe('a record that is not the server’s own', () => {
  async function forged(change: (claims: Credential) => object, header: object = {}, key?: KeyObject): Promise<string> {
    const { server, jwt } = await signed()
    const claims = credential.parse(decodeJwt(jwt))
    return new SignJWT({ ...change(claims) })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'vc+jwt', kid: keyIdOf(claims.issuer), ...header })
      .sign(key ?? keyIn(server.data))
  }
  const refusal = (jwt: string): Promise<string> =>
    verifyRecord(jwt, Date.now()).then(
      () => 'accepted',
      (error: Error) => error.message,
    )

  it('is refused after a change of any character', async () => {
    const { jwt } = await signed()
    for (let at = 0; at < jwt.length; at += 1) {
      const other = jwt[at] === 'A' ? 'B' : 'A'
      expect(await refusal(`${jwt.slice(0, at)}${other}${jwt.slice(at + 1)}`), `at ${at}`).not.toBe('accepted')
    }
    // Other characters with the same bits, but for those that base64 does not use.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const last of alphabet) {
      if (last !== jwt.at(-1)) expect(await refusal(`${jwt.slice(0, -1)}${last}`), last).not.toBe('accepted')
    }
  })

  it('is refused when another key signed it, or another algorithm', async () => {
    const { server, jwt } = await signed()
    const claims = credential.parse(decodeJwt(jwt))
    const other = generateKeyPairSync('ed25519').privateKey
    expect(await refusal(await forged((same) => same, {}, other))).toContain('another key signed it')
    const unsigned = new UnsecuredJWT({ ...claims }).encode().split('.')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'vc+jwt', kid: keyIdOf(claims.issuer) }))
    expect(await refusal(`${none.toString('base64url')}.${unsigned[1]}.`)).toContain('another algorithm')
    // The public key as the secret of an HMAC.
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'vc+jwt', kid: keyIdOf(claims.issuer) }))
    const input = `${header.toString('base64url')}.${jwt.split('.')[1]}`
    const secret = createPublicKey(keyIn(server.data)).export({ type: 'spki', format: 'pem' })
    const mac = createHmac('sha256', secret).update(input).digest('base64url')
    expect(await refusal(`${input}.${mac}`)).toContain('another algorithm')
  })

  it.each([
    ['expired', (claims: Credential) => ({ ...claims, exp: 1 }), {}, 'has expired'],
    ['of the future', (claims: Credential) => ({ ...claims, validFrom: '2999-01-01T00:00:00Z' }), {}, 'in the future'],
    ['of another issuer', (claims: Credential) => ({ ...claims, issuer: 'did:key:z' }), {}, 'another issuer'],
    ['without a lab', (claims: Credential) => ({ ...claims, credentialSubject: {} }), {}, 'not a signed record'],
    ['of another type', (claims: Credential) => claims, { typ: 'JWT' }, 'not a signed record'],
    ['without a key', (claims: Credential) => claims, { kid: 'key-1' }, 'does not name an Ed25519 key'],
  ])('is refused when it is %s', async (_which, change, header, reason) => {
    expect(await refusal(await forged(change, header))).toContain(reason)
  })

  it('writes nothing to the terminal that the terminal acts upon', async () => {
    const jwt = await forged((claims) => ({
      ...claims,
      credentialSubject: { ...claims.credentialSubject, name: 'Eve\u001B[2J\u202E' },
    }))
    const { code, out } = await verifyText(jwt)
    expect(code).toBe(0)
    expect(out).toContain('Eve�[2J�')
    for (const unseen of ['\u001B', '\u202E']) expect(out).not.toContain(unseen)
  })
})
