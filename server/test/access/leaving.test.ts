/** Log-outs, the next person on a computer, people who were removed, and a machine that takes many seats. */
import { streamClose } from '@expresslane/shared/wire/stream'
import { auditResponse, door, newInvitation, roomView } from '@expresslane/shared/wire/board'
import { describe, expect, it } from 'vitest'
import { browser, type Browser } from '../support/http/browser.ts'
import { person, type Person } from '../support/http/people.ts'
import { startServer, type TestServer } from '../support/http/server.ts'

interface Room {
  readonly server: TestServer
  readonly instructor: Person
  visitor(): Browser
  /** The code of a new link. */
  invite(role: 'participant' | 'viewer'): Promise<string>
  /** A browser of somebody who joined. */
  joined(name: string): Promise<Browser>
}

async function room(env: Record<string, string> = {}): Promise<Room> {
  const server = await startServer({ env: { EXPRESSLANE_WORKSHOP: '1', ...env } })
  const instructor = person(server, server.token)
  const invite: Room['invite'] = async (role) => {
    const { link } = await instructor.read(newInvitation, '/api/room/invitations', 201, { role })
    return link.split('/').at(-1) ?? ''
  }
  return {
    server,
    instructor,
    visitor: () => browser(server.port),
    invite,
    async joined(name) {
      const guest = browser(server.port)
      expect(await guest.tries('POST', '/api/join', { code: await invite('participant'), name })).toEqual([201, null])
      return guest
    },
  }
}

const isOpen = ({ closed }: { readonly closed: Promise<number> }): Promise<number | 'open'> =>
  Promise.race([closed, Promise.resolve('open' as const)])

const namesIn = async (instructor: Person): Promise<string[]> =>
  (await instructor.read(roomView, '/api/room')).participants.map(({ name }) => name)

describe('a log-out', () => {
  it('ends the login of this browser alone, clears its cookies and closes its streams', async () => {
    const { visitor, joined, instructor } = await room()
    const laptop = await joined('Anna')
    const made = await laptop.send('POST', '/api/me/link')
    const phone = visitor()
    await phone.open(new URL(newInvitation.parse(JSON.parse(made.text)).link).pathname)
    const key = [...laptop.cookies]
    const [here, there] = [await laptop.stream(), await phone.stream()]
    expect(await laptop.tries('POST', '/api/me/logout')).toEqual([204, null])
    expect(laptop.cookies.size).toBe(0)
    expect(await here.closed).toBe(streamClose.revoked)
    for (const [name, value] of key) laptop.cookies.set(name, value)
    expect(await laptop.me()).toBeNull()
    expect(await isOpen(there)).toBe('open')
    expect((await phone.me())?.name).toBe('Anna')
    expect(await namesIn(instructor)).toEqual(['Anna'])
  })

  it('in the only browser frees the seat and the name', async () => {
    const { joined, instructor } = await room({ EXPRESSLANE_PARTICIPANTS: '1' })
    await (await joined('Anna')).send('POST', '/api/me/logout')
    expect(await namesIn(instructor)).toEqual([])
    await joined('Anna')
    expect(await namesIn(instructor)).toEqual(['Anna'])
  })

  it('by a follower needs the link again, which makes another follower', async () => {
    const { visitor, invite } = await room()
    const guest = visitor()
    const code = await invite('viewer')
    await guest.open(`/f/${code}`)
    const before = await guest.me()
    expect(await guest.tries('POST', '/api/me/logout')).toEqual([204, null])
    expect(await guest.me()).toBeNull()
    await guest.open(`/f/${code}`)
    expect(await guest.me()).toMatchObject({
      role: 'viewer',
      id: expect.not.stringContaining(before?.id ?? '') as string,
    })
  })

  it('by the owner ends the browser’s login for good, over a restart, too', async () => {
    const { server } = await room()
    const [one, two] = [browser(server.port), browser(server.port)]
    for (const each of [one, two]) await each.open(`/open?token=${server.token}`)
    const [key = ''] = one.cookies.values()
    const [here, there] = [await one.stream(), await two.stream()]
    expect(await one.tries('POST', '/api/me/logout')).toEqual([204, null])
    expect(await here.closed).toBe(streamClose.revoked)
    expect(await isOpen(there)).toBe('open')
    expect((await two.me())?.role).toBe('instructor')
    await server.stop()
    const next = await startServer({ data: server.data, env: { EXPRESSLANE_WORKSHOP: '1' } })
    const [again, other] = [browser(next.port), browser(next.port)]
    again.cookies.set(`expresslane_${next.port}`, key)
    other.cookies.set(`expresslane_${next.port}`, [...two.cookies.values()][0] ?? '')
    expect(await again.me()).toBeNull()
    expect((await other.me())?.role).toBe('instructor')
  })

  it('is none for a token, and is in the audit log', async () => {
    const { instructor, joined } = await room()
    expect(await instructor.tries('/api/me/logout', {})).toEqual([409, 'nothing_to_do'])
    await (await joined('Anna')).send('POST', '/api/me/logout')
    const { entries } = await instructor.read(auditResponse, '/api/audit')
    expect(entries[0]).toMatchObject({ name: 'Anna', action: 'POST /api/me/logout', status: 204 })
  })

  it('comes from this server’s own page', async () => {
    const { joined, server } = await room()
    const guest = await joined('Anna')
    const cookie = [...guest.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    for (const headers of [{ cookie }, { cookie, origin: 'http://evil.example' }]) {
      expect((await server.ask('/api/me/logout', { method: 'POST', headers })).status).toBe(403)
    }
    expect((await guest.me())?.name).toBe('Anna')
  })
})

describe('the next person on a computer', () => {
  it('is somebody else, with another name; the login before ends', async () => {
    const { joined, invite, visitor } = await room()
    const computer = await joined('Anna')
    const anna = await computer.me()
    const annas = [...computer.cookies]
    const stream = await computer.stream()
    const code = await invite('participant')
    expect((await computer.open(`/j/${code}`)).headers.location).toBe('/join')
    expect(await computer.tries('POST', '/api/join', { name: 'Ben' })).toEqual([201, null])
    const ben = await computer.me()
    expect([ben?.name, ben?.id === anna?.id]).toEqual(['Ben', false])
    expect(await stream.closed).toBe(streamClose.revoked)
    const old = visitor()
    for (const [name, value] of annas) old.cookies.set(name, value)
    expect(await old.me()).toBeNull()
  })

  it('is the same one who opens the link again and goes on', async () => {
    const { joined, invite } = await room()
    const computer = await joined('Anna')
    const anna = await computer.me()
    const code = await invite('participant')
    await computer.open(`/j/${code}`)
    expect(await computer.me()).toEqual(anna)
    for (const body of [{}, { name: 'Anna' }, { code }]) {
      expect(await computer.tries('POST', '/api/join', body)).toEqual([201, null])
      expect(await computer.me()).toEqual(anna)
    }
  })

  it('does not lose the login before to a name that is refused', async () => {
    const { joined, invite } = await room()
    await joined('Ben')
    const computer = await joined('Anna')
    const code = await invite('participant')
    expect(await computer.tries('POST', '/api/join', { code, name: 'BEN' })).toEqual([409, 'name_taken'])
    expect((await computer.me())?.name).toBe('Anna')
  })
})

describe('somebody who is removed', () => {
  it('does not come in again with the code that let them in', async () => {
    const { instructor, visitor } = await room()
    const { code, link } = await instructor.read(door, '/api/room/doors/participant', 200, { open: true }, 'PUT')
    const guest = visitor()
    await guest.open(new URL(link ?? '').pathname)
    await guest.send('POST', '/api/join', { name: 'Anna' })
    const id = (await guest.me())?.id ?? ''
    expect(await instructor.tries(`/api/room/participants/${id}`, undefined, 'DELETE')).toEqual([204, null])
    expect(await guest.tries('POST', '/api/join', { code, name: 'Anna' })).toEqual([403, 'code_invalid'])
    expect((await guest.open(new URL(link ?? '').pathname)).status).toBe(403)
    const { doors } = await instructor.read(roomView, '/api/room')
    const now = doors.find(({ role }) => role === 'participant')
    expect([now?.code === code, now?.link === link]).toEqual([false, false])
    expect(await guest.tries('POST', '/api/join', { code: now?.code, name: 'Anna' })).toEqual([201, null])
  })

  it('does not come in again with an invitation; whoever else joined with it stays', async () => {
    const { instructor, visitor, invite } = await room()
    const code = await invite('participant')
    const [anna, ben] = [visitor(), visitor()]
    await anna.send('POST', '/api/join', { code, name: 'Anna' })
    await ben.send('POST', '/api/join', { code, name: 'Ben' })
    await instructor.tries(`/api/room/participants/${(await anna.me())?.id}`, undefined, 'DELETE')
    expect(await anna.tries('POST', '/api/join', { code, name: 'Anna' })).toEqual([403, 'code_invalid'])
    expect((await ben.me())?.name).toBe('Ben')
  })
})

describe('many people at one address', () => {
  it('are shown to the instructor, who allows more', async () => {
    const { instructor, visitor, invite, joined } = await room({ EXPRESSLANE_PARTICIPANTS: '6' })
    for (const name of ['Anna', 'Ben', 'Cleo']) await joined(name)
    const body = { code: await invite('participant'), name: 'Dora' }
    expect(await visitor().tries('POST', '/api/join', body)).toEqual([409, 'room_full'])
    const view = await instructor.read(roomView, '/api/room')
    expect(view.crowded).toEqual([{ network: '127.0.0.1', people: 3, most: 3 }])
    expect(view.participants.map(({ network }) => network)).toEqual(Array(3).fill('127.0.0.1'))
    expect(await instructor.tries('/api/room/networks', { network: '127.0.0.1' })).toEqual([204, null])
    expect((await instructor.read(roomView, '/api/room')).crowded).toEqual([])
    expect(await visitor().tries('POST', '/api/join', body)).toEqual([201, null])
  })
})
