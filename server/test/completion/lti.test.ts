/** LTI 1.3 with a learning platform that runs in the test: login, launch, lab, grade; and what is refused. */
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DEPLOYMENT, startPlatform, type Forged, type Platform } from '@expresslane/shared/test/learning-platform'
import { runAccepted, sessionView } from '@expresslane/shared/wire/protocol'
import { generateKeyPair } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { announce } from '../../src/announce.ts'
import { readPlatforms } from '../../src/completion/lti/platforms.ts'
import { dataDir } from '../support/deps.ts'
import { passing, testClock, type TestClock } from '../support/clock.ts'
import { browser, type Browser } from '../support/http/browser.ts'
import { startServer, type Answer, type ServerOptions, type TestServer } from '../support/http/server.ts'

const CLAIM = 'https://purl.imsglobal.org/spec/lti/claim'
const ada = { sub: 'user-1', name: 'Ada' }

interface Course {
  readonly platform: Platform
  readonly server: TestServer
  readonly clock: TestClock
  visitor(): Browser
  /** The first half: the tool sends the browser to the platform. @returns the platform's answer, as a form */
  login(who: Browser, person?: object, forged?: Forged): Promise<{ id_token: string; state: string }>
  /** A whole launch. */
  launch(who: Browser, person?: object, forged?: Forged): Promise<Answer>
}

async function course(options: ServerOptions = {}, known: Platform | null = null): Promise<Course> {
  const platform = known ?? (await startPlatform(dataDir()))
  onTestFinished(platform.close)
  const clock = testClock()
  const env = { EXPRESSLANE_WORKSHOP: '1', HOST: '127.0.0.1', EXPRESSLANE_LTI: platform.file, ...options.env }
  const server = await startServer({ ...options, clock, env })
  platform.meets(server.room[0] ?? '', clock.now)

  async function login(who: Browser, person: object = ada, forged?: Forged) {
    const form = {
      iss: platform.issuer,
      login_hint: 'hint',
      lti_message_hint: 'message',
      target_link_uri: `${server.room[0]}/`,
    }
    const answer = await who.postFromElsewhere('/lti/login', form)
    expect(answer.status, answer.text).toBe(302)
    return platform.authorize(answer.headers.location ?? '', person, forged)
  }

  return {
    platform,
    server,
    clock,
    visitor: () => browser(server.port),
    login,
    launch: async (who, person, forged) => who.postFromElsewhere('/lti/launch', await login(who, person, forged)),
  }
}

async function solve({ server }: Course, who: Browser, session: string, step: string): Promise<void> {
  const body = { params: step === 'preflight' ? {} : { repeats: 1, seconds: 1 }, solve: step !== 'preflight' }
  const { status, text } = await who.send('POST', `/api/sessions/${session}/steps/${step}/run`, body)
  expect(status, text).toBe(202)
  await server.deps.scheduler.settled(runAccepted.parse(JSON.parse(text)).runId)
}

const sessionOf = ({ headers }: Answer): string =>
  /^\/labs\/big-tcp-ipv4\/sessions\/(s_\w+)$/.exec(headers.location ?? '')?.[1] ?? ''

describe('a launch', () => {
  it('makes the person a participant, opens the lab, and sends the grade of each passed step', async () => {
    const there = await course()
    const { platform, server, visitor, launch } = there
    const who = visitor()
    const answer = await launch(who)
    expect(answer.status, answer.text).toBe(303)
    const session = sessionOf(answer)
    expect(await who.me()).toMatchObject({ role: 'participant', name: 'Ada' })
    const view = sessionView.parse(JSON.parse((await who.send('GET', `/api/sessions/${session}`)).text))
    expect(view.session).toMatchObject({ labId: 'big-tcp-ipv4', owner: (await who.me())?.id })
    const steps = server.deps.findLab('big-tcp-ipv4')?.steps.filter(({ action }) => action !== null).length
    const first = platform.nextScore()
    await solve(there, who, session, 'preflight')
    expect(await first).toMatchObject({
      userId: 'user-1',
      scoreGiven: 1,
      scoreMaximum: steps,
      activityProgress: 'InProgress',
      gradingProgress: 'Pending',
    })
    await solve(there, who, session, 'restore')
    let last = await platform.nextScore()
    while (last.scoreGiven !== steps) last = await platform.nextScore()
    expect(last).toMatchObject({ scoreMaximum: steps, activityProgress: 'Completed', gradingProgress: 'FullyGraded' })
  })

  it('of the same person is the same participant, on another device and after their login’s end, and of another one is not', async () => {
    const { server, visitor, launch } = await course()
    const [laptop, phone, other] = [visitor(), visitor(), visitor()]
    const session = sessionOf(await launch(laptop))
    expect(sessionOf(await launch(phone))).toBe(session)
    expect(await phone.me()).toEqual(await laptop.me())
    await launch(other, { sub: 'user-2', name: 'Ada' })
    expect((await other.me())?.id).not.toBe((await laptop.me())?.id)
    expect((await other.me())?.name).toMatch(/^Ada \([0-9a-f]{6}\)$/)
    const db = new DatabaseSync(join(server.data, 'expresslane.db'))
    db.exec('UPDATE principals SET expires_at = 1')
    db.close()
    expect(server.deps.people.participants()).toEqual([])
    expect(sessionOf(await launch(laptop))).toBe(session)
    server.deps.people.remove((await laptop.me())?.id ?? '')
    expect((await launch(visitor())).status).toBe(403)
  })

  it('of a person without a name, or with one that no participant may have, gives a made-up name', async () => {
    const { visitor, launch } = await course()
    for (const [sub, name] of [['user-3'], ['user-4', 'Instructor'], ['user-5', '<script>']] as const) {
      const who = visitor()
      expect((await launch(who, { sub, ...(name !== undefined && { name }) })).status).toBe(303)
      expect((await who.me())?.name).toMatch(/^Learner [0-9a-f]{6}$/)
    }
  })

  it('lets in a whole class that shares an address', async () => {
    const { visitor, launch } = await course({ env: { EXPRESSLANE_PARTICIPANTS: '8' } })
    for (let number = 1; number <= 8; number += 1) {
      expect(
        (await launch(visitor(), { sub: `user-${number}`, name: `Person ${'ABCDEFGH'[number - 1]}` })).status,
      ).toBe(303)
    }
    expect((await launch(visitor(), { sub: 'user-9', name: 'Person Z' })).status).toBe(409)
  })

  it('opens the lab of the link where no parameter names one, and says which lab is missing', async () => {
    const { visitor, launch } = await course()
    const link = (to: string): Forged => ({ claims: { [`${CLAIM}/custom`]: {}, [`${CLAIM}/target_link_uri`]: to } })
    const answer = await launch(visitor(), ada, link('https://labs.example/labs/big-tcp-ipv4?x=1'))
    expect(sessionOf(answer)).not.toBe('')
    const missing = await launch(visitor(), ada, link('https://labs.example/labs/none'))
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('no lab “none”')])
  })
})

describe('a grade', () => {
  it('is sent again when the platform answers again', async () => {
    const there = await course()
    const { platform, visitor, launch, clock } = there
    const who = visitor()
    const session = sessionOf(await launch(who))
    platform.isUp = false
    const away = platform.turnedAway()
    await solve(there, who, session, 'preflight')
    await away
    platform.isUp = true
    expect(await passing(clock, platform.nextScore(), 1000)).toMatchObject({ userId: 'user-1', scoreGiven: 1 })
  })

  it('is sent by the next server when this one ends before', async () => {
    const there = await course()
    const { platform, server, visitor, launch } = there
    const who = visitor()
    const session = sessionOf(await launch(who))
    platform.isUp = false
    const away = platform.turnedAway()
    await solve(there, who, session, 'preflight')
    await away
    await server.stop()
    platform.isUp = true
    const score = platform.nextScore()
    await course({ data: server.data, env: { PORT: String(server.port) } }, platform)
    expect(await score).toMatchObject({ userId: 'user-1', scoreGiven: 1 })
  })
})

describe('a launch that is not valid', () => {
  const reasonOf = ({ status, text }: Answer): string => (status === 403 ? text : `status ${status}: ${text}`)

  it.each([
    ['with another nonce', { claims: { nonce: 'other' } }, 'another login'],
    ['for another tool', { claims: { aud: 'other' } }, 'not valid here'],
    ['for another tool of several', { claims: { azp: 'other' } }, 'another tool'],
    ['of another issuer', { claims: { iss: 'https://other.example' } }, 'not valid here'],
    ['that has expired', { expires: -120 }, 'not valid here'],
    ['of another deployment', { claims: { [`${CLAIM}/deployment_id`]: `${DEPLOYMENT}0` } }, 'this deployment'],
    ['of another version', { claims: { [`${CLAIM}/version`]: '1.1' } }, 'not valid here'],
    ['of another kind', { claims: { [`${CLAIM}/message_type`]: 'LtiDeepLinkingRequest' } }, 'not valid here'],
    ['of nobody', { claims: { sub: undefined } }, 'not valid here'],
    ['without an end', { claims: { exp: undefined } }, 'not valid here'],
  ])('is refused %s', async (_which, forged, reason) => {
    const { visitor, launch } = await course()
    const who = visitor()
    expect(reasonOf(await launch(who, ada, forged))).toContain(reason)
    expect(await who.me()).toBeNull()
    // The same launch without the change is let in.
    expect((await launch(who)).status).toBe(303)
  })

  it('is refused when another key signed it, with any algorithm', async () => {
    const { visitor, launch } = await course()
    for (const alg of ['RS256', 'PS256']) {
      const { privateKey } = await generateKeyPair(alg)
      expect(reasonOf(await launch(visitor(), ada, { key: privateKey, alg }))).toContain('not valid here')
    }
  })

  it('is refused a second time, after ten minutes, and in another browser', async () => {
    const { visitor, login, clock } = await course()
    const who = visitor()
    const form = await login(who)
    expect((await who.postFromElsewhere('/lti/launch', form)).status).toBe(303)
    expect(reasonOf(await who.postFromElsewhere('/lti/launch', form))).toContain('used already')
    const another = await login(who)
    expect(reasonOf(await visitor().postFromElsewhere('/lti/launch', another))).toContain('Another browser')
    expect(reasonOf(await who.postFromElsewhere('/lti/launch', another))).toContain('used already')
    const late = await login(who, ada, { expires: 3600 })
    clock.advance(10 * 60_000)
    expect(reasonOf(await who.postFromElsewhere('/lti/launch', late))).toContain('took too long')
    expect(reasonOf(await who.postFromElsewhere('/lti/launch', {}))).toContain('sent no token')
  })

  it('does not begin for a platform or a client id that is not registered', async () => {
    const { visitor, platform } = await course()
    const form = { iss: 'https://other.example', login_hint: 'hint', target_link_uri: 'https://labs.example/' }
    expect(reasonOf(await visitor().postFromElsewhere('/lti/login', form))).toContain('does not know this learning')
    const client = { ...form, iss: platform.issuer, client_id: 'other' }
    expect(reasonOf(await visitor().postFromElsewhere('/lti/login', client))).toContain('not under this client id')
    expect(reasonOf(await visitor().postFromElsewhere('/lti/login', {}))).toContain('no login')
  })
})

describe('a server with learning platforms', () => {
  it('may be shown inside their pages alone, and gives cookies for that over https', async () => {
    const { platform, server } = await course({ env: { EXPRESSLANE_ORIGINS: 'https://labs.example' } })
    const who = browser(server.port, 'labs.example')
    const { headers } = await who.open('/healthz')
    expect(headers['content-security-policy']).toContain(`frame-ancestors ${platform.issuer}`)
    expect(headers).not.toHaveProperty('x-frame-options')
    const form = { iss: platform.issuer, login_hint: 'hint', lti_message_hint: 'message', target_link_uri: 'https://x' }
    const { headers: sent } = await who.postFromElsewhere('/lti/login', form)
    const answer = await who.postFromElsewhere('/lti/launch', await platform.authorize(sent.location ?? '', ada))
    expect(answer.status, answer.text).toBe(303)
    for (const cookie of [sent['set-cookie']?.[0], answer.headers['set-cookie']?.[0]]) {
      for (const attribute of ['HttpOnly', 'SameSite=None', 'Secure', 'Partitioned'])
        expect(cookie).toContain(attribute)
    }
  })

  it('keeps its key for the platforms, and shows only the public part', async () => {
    const { server } = await course()
    const keys = (await server.ask('/lti/jwks')).text
    expect(JSON.parse(keys)).toMatchObject({ keys: [{ kty: 'RSA', alg: 'RS256', use: 'sig' }] })
    expect(keys).not.toMatch(/"(d|p|q|dp|dq|qi)"/)
    expect(statSync(join(server.data, 'lti.key')).mode & 0o777).toBe(0o600)
    await server.stop()
    expect((await (await course({ data: server.data })).server.ask('/lti/jwks')).text).toBe(keys)
  })

  it('says at the start which addresses to register, and that https is missing', async () => {
    const { server } = await course()
    const text = announce(server, false).join('\n')
    for (const path of ['/lti/login', '/lti/launch', '/lti/jwks']) expect(text).toContain(`${server.room[0]}${path}`)
    expect(text).toContain('Over plain http browsers keep no login')
    const proxied = { ...server, room: ['https://labs.example'] }
    expect(announce(proxied, false).join('\n')).not.toContain('plain http')
  })

  it('does not start for a room that nobody can join, or with a file that is wrong', async () => {
    const platform = await startPlatform(dataDir())
    const env = { EXPRESSLANE_WORKSHOP: '0' }
    await expect(course({ env }, platform)).rejects.toThrow('not set up for a workshop')
    const good = { ...readPlatforms(platform.file)[0] }
    const file = join(dataDir(), 'wrong.json')
    for (const [text, detail] of [
      ['{', 'JSON'],
      [JSON.stringify({ platforms: [] }), 'platforms'],
      [JSON.stringify({ platforms: [{ ...good, jwksUrl: 'http://lms.example/jwks' }] }), 'platforms.0.jwksUrl'],
      [JSON.stringify({ platforms: [{ ...good, origins: ['https://lms.example/page'] }] }), 'platforms.0.origins.0'],
      [JSON.stringify({ platforms: [{ ...good, secret: 'x' }] }), 'secret'],
      [JSON.stringify({ platforms: [good, good] }), 'same issuer'],
    ] as const) {
      writeFileSync(file, text)
      expect(() => readPlatforms(file), text).toThrowError(
        expect.objectContaining({ code: 'config_invalid', detail: expect.stringContaining(detail) }),
      )
    }
    await expect(course({ env: { EXPRESSLANE_LTI: '/none' } }, platform)).rejects.toMatchObject({
      code: 'config_invalid',
    })
  })
})

describe('a server without learning platforms', () => {
  it('has no such routes, and no page may show it', async () => {
    const server = await startServer({ env: { EXPRESSLANE_WORKSHOP: '1', HOST: '127.0.0.1' } })
    const { headers } = await server.ask('/healthz')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-frame-options']).toBe('SAMEORIGIN')
    const who = browser(server.port)
    for (const path of ['/lti/login', '/lti/launch']) {
      expect((await who.postFromElsewhere(path, { id_token: 'x', state: 'x' })).status).toBe(404)
    }
    expect((await server.ask('/lti/jwks')).status).toBe(404)
  })
})
