/** Invitations, doors and links, as the browsers of a room use them. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { BEAT_MS, streamClose } from '@expresslane/shared/wire/stream'
import { door, newInvitation, invitationsResponse } from '@expresslane/shared/wire/board'
import { describe, expect, it } from 'vitest'
import { browser, type Browser } from '../support/http/browser.ts'
import { passing, testClock } from '../support/clock.ts'
import { person, type Person } from '../support/http/people.ts'
import { startServer, type ServerOptions, type TestServer } from '../support/http/server.ts'

interface Room {
  readonly server: TestServer
  readonly instructor: Person
  visitor(): Browser
  /** The path of a new link. */
  invite(role: 'participant' | 'viewer'): Promise<string>
}

async function room(options: ServerOptions = {}): Promise<Room> {
  const server = await startServer({ ...options, env: { EXPRESSLANE_WORKSHOP: '1', ...options.env } })
  const instructor = person(server, server.token)
  return {
    server,
    instructor,
    visitor: () => browser(server.port),
    async invite(role) {
      const { link } = await instructor.read(newInvitation, '/api/room/invitations', 201, { role })
      return new URL(link).pathname
    },
  }
}

const idOf = async (instructor: Person, place = 0): Promise<string> =>
  (await instructor.read(invitationsResponse, '/api/room/invitations')).invitations[place]?.id ?? ''

describe('a link to follow', () => {
  it('logs a viewer in at once, leaves no code in the address, and keeps the login that a browser has', async () => {
    const { invite, visitor, server } = await room()
    const link = await invite('viewer')
    expect(link).toMatch(/^\/f\/[a-z0-9]{10}[\w-]{32}$/)
    const guest = visitor()
    const answer = await guest.open(link)
    expect([answer.status, answer.headers.location]).toEqual([303, '/follow'])
    expect([answer.headers['referrer-policy'], answer.headers['cache-control']]).toEqual(['no-referrer', 'no-store'])
    const cookie = answer.headers['set-cookie']?.[0] ?? ''
    for (const attribute of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(attribute)
    expect(cookie).not.toContain('Secure')
    const seen = await guest.me()
    expect(seen).toMatchObject({ role: 'viewer', workshop: true })
    await guest.open(link)
    expect(await guest.me()).toEqual(seen)
    const other = visitor()
    await other.open(link)
    expect((await other.me())?.id).not.toBe(seen?.id)
    const owner = visitor()
    await owner.open(`/open?token=${server.token}`)
    await owner.open(link)
    expect((await owner.me())?.role).toBe('instructor')
  })
})

describe('a link on a page of another site', () => {
  it.each(['viewer', 'participant'] as const)('for a %s keeps the login that a browser has', async (role) => {
    const { invite, visitor, server } = await room()
    const link = await invite(role)
    const owner = visitor()
    await owner.open(`/open?token=${server.token}`)
    const answer = await owner.openFromElsewhere(link)
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
    expect([answer.headers['referrer-policy'], answer.headers['cache-control']]).toEqual(['no-referrer', 'no-store'])
    expect(answer.text).toContain('<meta http-equiv="refresh" content="0; url=?again">')
    expect(answer.text).not.toContain(link.slice(3))
    expect((await owner.open(`${link}?again`)).status).toBe(303)
    expect((await owner.me())?.role).toBe('instructor')
    const guest = visitor()
    await guest.openFromElsewhere(link)
    expect(guest.cookies.size).toBe(0)
    await guest.open(`${link}?again`)
    expect(guest.cookies.size).toBe(1)
  })

  it('waits for a click when the page that opens it again does not count as this server’s', async () => {
    const { invite, visitor } = await room()
    const answer = await visitor().openFromElsewhere(`${await invite('viewer')}?again`)
    expect([answer.status, answer.headers['set-cookie']]).toEqual([200, undefined])
    expect(answer.text).not.toContain('refresh')
    expect(answer.text).toContain('<a href="?again">Continue</a>')
  })
})

describe('a link to join', () => {
  it('asks for a name, and is then a participant that a reload finds again', async () => {
    const { invite, visitor } = await room()
    const link = await invite('participant')
    const guest = visitor()
    const answer = await guest.open(link)
    expect([answer.status, answer.headers.location]).toEqual([303, '/join'])
    expect(answer.headers['set-cookie']?.[0]).toContain('HttpOnly')
    expect(await guest.me()).toBeNull()
    expect(await guest.tries('POST', '/api/join', {})).toEqual([400, 'bad_request'])
    expect(await guest.tries('POST', '/api/join', { name: 'Anna' })).toEqual([201, null])
    const joined = await guest.me()
    expect(joined).toMatchObject({ role: 'participant', name: 'Anna' })
    expect(guest.cookies.size).toBe(1)
    await guest.open(link)
    expect(await guest.me()).toEqual(joined)
  })

  it('makes a viewer a participant', async () => {
    const { invite, visitor } = await room()
    const guest = visitor()
    await guest.open(await invite('viewer'))
    await guest.send('POST', '/api/join', { code: (await invite('participant')).slice(3), name: 'Anna' })
    expect((await guest.me())?.role).toBe('participant')
    await guest.open(await invite('viewer'))
    expect((await guest.me())?.role).toBe('participant')
  })

  it.each(['', ' ', 'a'.repeat(41), '<b>Anna</b>', 'An\u200Bna', 'An\u202Ena', 'An\nna', '\u0007', 'Anna💥'])(
    'refuses the name %j',
    async (name) => {
      const { invite, visitor } = await room()
      const code = (await invite('participant')).slice(3)
      expect(await visitor().tries('POST', '/api/join', { code, name })).toEqual([400, 'bad_request'])
    },
  )

  it('lets in as many as the server has testbeds for', async () => {
    const { invite, visitor, server, instructor } = await room({ env: { EXPRESSLANE_PARTICIPANTS: '1' } })
    const code = (await invite('participant')).slice(3)
    const first = visitor()
    await first.send('POST', '/api/join', { code, name: 'Anna' })
    expect(await visitor().tries('POST', '/api/join', { code, name: 'Ben' })).toEqual([409, 'room_full'])
    server.deps.people.remove((await first.me())?.id ?? '')
    // The code of somebody who was removed lets nobody else in.
    expect(await visitor().tries('POST', '/api/join', { code, name: 'Ben' })).toEqual([403, 'code_invalid'])
    const another = (await invite('participant')).slice(3)
    expect(await visitor().tries('POST', '/api/join', { code: another, name: 'Ben' })).toEqual([201, null])
    expect((await instructor.read(invitationsResponse, '/api/room/invitations')).invitations).toMatchObject([
      { role: 'participant', joined: 1, revokedAt: null },
      { role: 'participant', joined: 1, revokedAt: expect.any(Number) },
    ])
  })

  it('has a twin for another device of the same person', async () => {
    const { invite, visitor, instructor } = await room()
    const laptop = visitor()
    await laptop.send('POST', '/api/join', { code: (await invite('participant')).slice(3), name: 'Anna' })
    const made = await laptop.send('POST', '/api/me/link')
    const { link } = newInvitation.parse(JSON.parse(made.text))
    const phone = visitor()
    const answer = await phone.open(new URL(link).pathname)
    expect([answer.status, answer.headers.location]).toEqual([303, '/'])
    expect(await phone.me()).toEqual(await laptop.me())
    expect((await instructor.read(invitationsResponse, '/api/room/invitations')).invitations).toHaveLength(1)
    expect(await instructor.tries('/api/me/link', {})).toEqual([403, 'not_allowed'])
  })
})

describe('a door', () => {
  it('takes a short code, typed in any way, while it is open', async () => {
    const { visitor, instructor } = await room()
    const opened = await instructor.read(door, '/api/room/doors/participant', 200, { open: true }, 'PUT')
    const code = opened.code ?? ''
    expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{6}$/)
    expect(opened.link).toMatch(/\/j\/[\w-]{22}$/)
    expect((await visitor().open(`/j/${code}`)).headers.location).toBe('/join')
    const typed = ` ${code.slice(0, 3)}-${code.slice(3)}`.toLowerCase()
    const guest = visitor()
    expect(await guest.tries('POST', '/api/join', { code: typed, name: 'Anna' })).toEqual([201, null])
    const renewed = await instructor.read(door, '/api/room/doors/participant', 200, { open: true }, 'PUT')
    expect(renewed.code).not.toBe(code)
    expect(await visitor().tries('POST', '/api/join', { code, name: 'Ben' })).toEqual([403, 'code_invalid'])
    const closed = await instructor.read(door, '/api/room/doors/participant', 200, { open: false }, 'PUT')
    expect(closed).toEqual({ role: 'participant', code: null, link: null })
    const late = { code: renewed.code, name: 'Ben' }
    expect(await visitor().tries('POST', '/api/join', late)).toEqual([403, 'code_invalid'])
    expect((await guest.me())?.name).toBe('Anna')
  })
})

describe('revoking', () => {
  it('ends the login of everybody who joined with the link, and closes their streams at once', async () => {
    const { invite, visitor, instructor } = await room()
    const link = await invite('viewer')
    const [guest, other] = [visitor(), visitor()]
    await guest.open(link)
    await other.open(await invite('viewer'))
    const [stream, otherStream] = [await guest.stream(), await other.stream()]
    const id = await idOf(instructor, 1)
    expect(await instructor.tries(`/api/room/invitations/${id}`, undefined, 'DELETE')).toEqual([204, null])
    expect(await stream.closed).toBe(streamClose.revoked)
    expect(await guest.me()).toBeNull()
    await expect(guest.stream()).rejects.toThrow('401')
    expect(await visitor().tries('GET', link)).toEqual([403, 'code_invalid'])
    expect((await other.me())?.role).toBe('viewer')
    expect(await Promise.race([otherStream.closed, Promise.resolve('open')])).toBe('open')
    expect(await instructor.tries('/api/room/invitations/none', undefined, 'DELETE')).toEqual([404, 'not_found'])
  })
})

describe('codes and keys', () => {
  it('are not in any file of the data directory', async () => {
    const { invite, visitor, server } = await room()
    const link = await invite('viewer')
    const guest = visitor()
    await guest.open(link)
    const [key = ''] = guest.cookies.values()
    const files = readdirSync(server.data).map((name) => readFileSync(join(server.data, name), 'latin1'))
    expect(files.length).toBeGreaterThan(1)
    for (const secret of [link.slice(3), link.slice(13), key, key.slice(10)]) {
      expect(files.filter((text) => text.includes(secret))).toEqual([])
    }
  })

  it('let nobody in without a workshop', async () => {
    const { invite, visitor, server } = await room()
    const link = await invite('participant')
    const guest = visitor()
    await guest.send('POST', '/api/join', { code: link.slice(3), name: 'Anna' })
    await server.stop()
    const plain = await startServer({ data: server.data })
    const again = browser(plain.port)
    for (const value of guest.cookies.values()) again.cookies.set(`expresslane_${plain.port}`, value)
    expect(await again.me()).toBeNull()
    expect(await again.tries('POST', '/api/join', { code: link.slice(3), name: 'Ben' })).toEqual([409, 'workshop_off'])
    const instructor = person(plain, plain.token)
    const body = { role: 'viewer' }
    expect(await instructor.tries('/api/room/invitations', body)).toEqual([409, 'workshop_off'])
    expect(await instructor.tries('/api/room/doors/viewer', { open: true }, 'PUT')).toEqual([409, 'workshop_off'])
  })

  it('live on when the server restarts; doors close', async () => {
    const { invite, visitor, server, instructor } = await room()
    const link = await invite('participant')
    const guest = visitor()
    await guest.send('POST', '/api/join', { code: link.slice(3), name: 'Anna' })
    const { code } = await instructor.read(door, '/api/room/doors/viewer', 200, { open: true }, 'PUT')
    const joined = await guest.me()
    await server.stop()
    const next = await room({ data: server.data })
    const again = next.visitor()
    for (const value of guest.cookies.values()) again.cookies.set(`expresslane_${next.server.port}`, value)
    expect(await again.me()).toEqual(joined)
    expect((await next.visitor().open(link)).headers.location).toBe('/join')
    expect((await next.visitor().open(`/f/${code}`)).status).toBe(403)
  })
})

describe('a login that is over', () => {
  it('closes the stream that is open', async () => {
    const clock = testClock()
    const { invite, visitor } = await room({ clock })
    const guest = visitor()
    await guest.open(await invite('viewer'))
    clock.advance(24 * 60 * 60_000 - 1)
    const { closed } = await guest.stream()
    clock.advance(BEAT_MS)
    expect(await closed).toBe(streamClose.revoked)
    // The old cookie is a wrong one now, and those are answered late.
    expect(await passing(clock, guest.me())).toBeNull()
  })
})
