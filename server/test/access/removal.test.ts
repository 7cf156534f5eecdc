/** Taking access back works at once, while the database is locked too, and holds after a restart. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { streamClose } from '@expresslane/shared/wire/stream'
import { door, invitationsResponse, newInvitation } from '@expresslane/shared/wire/board'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStore } from '../../src/store/open.ts'
import { createReserve } from '../../src/store/file/reserve.ts'
import { browser } from '../support/http/browser.ts'
import { passing, testClock, type TestClock } from '../support/clock.ts'
import { dataDir } from '../support/deps.ts'
import { person } from '../support/http/people.ts'
import { startServer } from '../support/http/server.ts'
import { lockedBy } from '../support/store/locked.ts'

async function room(clock: TestClock) {
  const server = await startServer({ clock, env: { EXPRESSLANE_WORKSHOP: '1' } })
  const instructor = person(server, server.token)
  const guest = browser(server.port)
  const { link } = await instructor.read(newInvitation, '/api/room/invitations', 201, { role: 'participant' })
  await guest.open(new URL(link).pathname)
  await guest.send('POST', '/api/join', { name: 'Anna' })
  const anna = await guest.me()
  if (anna === null) throw new Error('Anna is not in the room')
  const key = guest.cookies.get(`expresslane_${server.port}`) ?? ''
  return { server, instructor, guest, anna, bearer: person(server, key), link: new URL(link).pathname }
}

/** The store as a server finds it that starts after the present one was killed. */
function restarted(data: string) {
  const store = openStore(data)
  onTestFinished(() => store.close())
  return store
}

describe('while another process has locked the database', () => {
  it('a removed person is out at once, stays out, and is out after a restart', async () => {
    const clock = testClock()
    const { server, instructor, guest, anna, bearer } = await room(clock)
    const { closed } = await guest.stream()
    expect((await bearer.call('/api/me')).status).toBe(200)
    const lock = await lockedBy(server.data)
    const at = clock.now()
    // The clock stands still: nothing waits for the lock.
    expect((await instructor.call(`/api/room/participants/${anna.id}`, undefined, 'DELETE')).status).toBe(204)
    expect(await closed).toBe(streamClose.revoked)
    const refused = [guest.tries('GET', '/api/labs'), bearer.tries('/api/labs')]
    // A wrong key is answered late.
    for (const one of refused) expect(await passing(clock, one)).toEqual([401, 'unauthorized'])
    expect(server.deps.people.participants()).toEqual([])
    expect(await instructor.tries(`/api/room/participants/${anna.id}`, undefined, 'DELETE')).toEqual([404, 'not_found'])
    await lock.release()
    // The present server has not tried again: only the file says it.
    expect(statSync(join(server.data, 'revoked')).mode & 0o077).toBe(0)
    const next = restarted(server.data)
    expect(next.principals.find(anna.id)?.removedAt).toBe(at)
    expect(existsSync(join(server.data, 'revoked'))).toBe(false)
  })

  it('the removal is stored by the same server when the lock is free', async () => {
    const clock = testClock()
    const { server, anna } = await room(clock)
    const lock = await lockedBy(server.data)
    const at = clock.now()
    server.deps.people.remove(anna.id)
    clock.advance(5000)
    expect(existsSync(join(server.data, 'revoked'))).toBe(true)
    await lock.release()
    clock.advance(1000)
    expect(existsSync(join(server.data, 'revoked'))).toBe(false)
    expect(restarted(server.data).principals.find(anna.id)?.removedAt).toBe(at)
  })

  it('an invitation is revoked with everybody whom it let in, and doors close', async () => {
    const clock = testClock()
    const { server, instructor, guest, link } = await room(clock)
    await instructor.read(door, '/api/room/doors/viewer', 200, { open: true }, 'PUT')
    const lock = await lockedBy(server.data)
    const { invitations } = await instructor.read(invitationsResponse, '/api/room/invitations')
    const id = invitations[0]?.id ?? ''
    expect((await instructor.call(`/api/room/invitations/${id}`, undefined, 'DELETE')).status).toBe(204)
    const closed = await instructor.read(door, '/api/room/doors/viewer', 200, { open: false }, 'PUT')
    expect(closed.code).toBeNull()
    expect(await passing(clock, guest.me())).toBeNull()
    const { invitations: now } = await instructor.read(invitationsResponse, '/api/room/invitations')
    expect(now[0]?.revokedAt).not.toBeNull()
    await lock.release()
    expect((await passing(clock, browser(server.port).open(link))).status).toBe(403)
    expect(restarted(server.data).invitations.find(id)?.revokedAt).not.toBeNull()
  })
})

it('a run that waited for its turn does not start when its person is gone', async () => {
  const clock = testClock()
  const { server, anna, bearer } = await room(clock)
  server.deps.scheduler.pauseQueue(true)
  const session = await bearer.begins()
  const accepted = await bearer.call(`/api/sessions/${session.id}/steps/preflight/run`, {})
  expect(accepted.status).toBe(202)
  const lock = await lockedBy(server.data)
  server.deps.people.remove(anna.id)
  await new Promise((resolve) => setImmediate(resolve))
  const states = () => server.deps.store.runs.ofSession(session.id).map(({ state }) => state)
  expect(states()).toEqual(['queued'])
  await lock.release()
  server.deps.scheduler.pauseQueue(false)
  server.deps.scheduler.tend()
  expect(states()).toEqual(['cancelled'])
})

describe('the reserve', () => {
  it('is given back in pieces, and made again in pieces', () => {
    const data = dataDir()
    const reserve = createReserve(data, 0)
    const size = (): number => statSync(join(data, 'reserve')).size
    expect(reserve.release()).toBe(false)
    while (!reserve.restore());
    const whole = size()
    expect(whole).toBeGreaterThanOrEqual(4 * 1024 * 1024)
    expect(reserve.release()).toBe(true)
    expect(size()).toBeLessThan(whole)
    let pieces = 1
    while (reserve.release()) pieces += 1
    expect([size(), pieces]).toEqual([0, 8])
    expect(reserve.restore()).toBe(false)
    expect(size()).toBeGreaterThan(0)
  })

  it('is not made on a disk that has little room', () => {
    const data = dataDir()
    expect(createReserve(data, Number.MAX_SAFE_INTEGER).restore()).toBe(false)
    expect(existsSync(join(data, 'reserve'))).toBe(false)
  })
})
