/** How many requests of one person are answered at once. */
import { EventEmitter, once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { role as roles, type Role } from '@expresslane/shared/wire/room'
import { fastify } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { handleErrors } from '../../src/routes/http/errors.ts'
import { boundRequests } from '../../src/routes/http/in-flight.ts'
import { passing, testClock } from '../support/clock.ts'
import { problemOf } from '../support/http/knock.ts'
import { classroom } from '../support/http/people.ts'
import { ask, type Answer } from '../support/http/server.ts'

const GUESTS = { atOnce: 4, waiting: 32 }

/** A server that answers `/held` only when it is told, to whom the header `person` names. */
async function serve() {
  const clock = testClock()
  const app = fastify({ forceCloseConnections: true })
  handleErrors(app)
  const changes = new EventEmitter()
  const counts = { arrived: 0, running: 0, closed: 0 }
  const told = Promise.withResolvers<void>()
  app.decorateRequest('caller', null)
  app.addHook('onRequest', async (request) => {
    const { person = '', role = 'viewer' } = request.headers
    request.caller = { id: String(person), role: roles.parse(role), name: '' }
    request.ws = false
    counts.arrived += 1
    changes.emit('change')
  })
  boundRequests(app, clock)
  const held = async (): Promise<string> => {
    counts.running += 1
    changes.emit('change')
    await told.promise
    return 'yes'
  }
  app.get('/held', held)
  app.post('/held', held)
  app.server.on('connection', (socket) => {
    socket.on('close', () => {
      counts.closed += 1
      changes.emit('change')
    })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo

  async function until(is: () => boolean): Promise<void> {
    while (!is()) await once(changes, 'change')
  }

  return {
    clock,
    port,
    counts,
    until,
    arrived: (count: number) => until(() => counts.arrived >= count),
    asks: (person: string, role: Role = 'viewer', method = 'GET') =>
      ask(port, '/held', { method, headers: { person, role } }),
    /** From now on, at once. */
    answerAll: told.resolve,
  }
}

function times<T>(count: number, each: () => T): T[] {
  return Array.from({ length: count }, each)
}

async function statusesOf(all: readonly Promise<Answer>[]): Promise<Set<number>> {
  return new Set((await Promise.all(all)).map(({ status }) => status))
}

describe('requests of a person', () => {
  it('are answered a few at once, some wait, and more are refused', async () => {
    const { asks, arrived, counts, answerAll } = await serve()
    const all = times(GUESTS.atOnce + GUESTS.waiting, () => asks('alice'))
    await arrived(all.length)
    const refused = await asks('alice')
    expect(counts.running).toBe(GUESTS.atOnce)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('1')
    expect(problemOf(refused).code).toBe('too_many_requests')
    answerAll()
    expect(await statusesOf(all)).toEqual(new Set([200]))
    expect((await asks('alice')).status).toBe(200)
  })

  it('do not hold up those of others, nor what the person changes', async () => {
    const { asks, arrived, until, counts, answerAll } = await serve()
    const all = times(GUESTS.atOnce + GUESTS.waiting, () => asks('alice'))
    await arrived(all.length)
    const others = [asks('bob'), asks('alice', 'viewer', 'POST')]
    await until(() => counts.running === GUESTS.atOnce + others.length)
    answerAll()
    await Promise.all([...all, ...others])
  })

  it('can be more for the instructor', async () => {
    const { asks, until, counts, answerAll } = await serve()
    const all = times(100, () => asks('owner', 'instructor'))
    await until(() => counts.running === 4 * GUESTS.atOnce)
    answerAll()
    expect(await statusesOf(all)).toEqual(new Set([200]))
  })

  it('wait for a bounded time', async () => {
    const { asks, arrived, clock, answerAll } = await serve()
    const running = times(GUESTS.atOnce, () => asks('alice'))
    await arrived(running.length)
    const waiting = await passing(clock, asks('alice'), 5000)
    expect(waiting.status).toBe(429)
    answerAll()
    await Promise.all(running)
  })

  it('leave the line when their client has gone', async () => {
    const { asks, arrived, until, counts, port, answerAll } = await serve()
    const running = times(GUESTS.atOnce, () => asks('alice'))
    await arrived(running.length)
    const gone = times(GUESTS.waiting, () => {
      const socket = connect(port, '127.0.0.1')
      socket.write('GET /held HTTP/1.1\r\nHost: x\r\nperson: alice\r\n\r\n')
      return socket
    })
    await arrived(running.length + gone.length)
    const { closed } = counts
    for (const socket of gone) socket.destroy()
    await until(() => counts.closed === closed + gone.length)
    const waiting = asks('alice')
    answerAll()
    expect(await statusesOf([...running, waiting])).toEqual(new Set([200]))
    expect(counts.running).toBe(GUESTS.atOnce + 1)
  })
})

it('the first requests of a page with several tabs are not refused', async () => {
  const { hers } = await classroom()
  const session = await hers.begins()
  const paths = [
    '/api/me',
    '/api/labs',
    '/api/sessions',
    `/api/sessions/${session.id}`,
    '/api/runs?limit=50',
    '/api/testbeds/netns',
    '/api/recordings',
    '/api/profiles',
  ]
  const tabs = Array.from({ length: 4 }, () => paths.map(async (path) => (await hers.call(path)).status))
  expect(new Set(await Promise.all(tabs.flat()))).toEqual(new Set([200]))
})
