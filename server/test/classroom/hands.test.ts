/** Hands in order, and an instructor who looks with consent, and no longer. */
import { auditResponse, roomView } from '@expresslane/shared/wire/board'
import type { HandView } from '@expresslane/shared/wire/hand'
import type { HandsFrame, StreamFrame } from '@expresslane/shared/wire/stream'
import { terminalFrame, terminalView, type TerminalMessage } from '@expresslane/shared/wire/terminal'
import { epochMs } from '@expresslane/shared/base/units'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { openStore } from '../../src/store/open.ts'
import { testClock } from '../support/clock.ts'
import { fakeShell } from '../support/fakes/fake-shell.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import { classroom as opened, type Person } from '../support/http/people.ts'
import type { StreamClient } from '../support/http/stream-client.ts'
import { lockedBy } from '../support/store/locked.ts'

/** Alice and Bob are in the workshop, and have counted machines with terminals. */
async function workshop() {
  const clock = testClock()
  const shells: ReturnType<typeof fakeShell>[] = []
  const terminals = {
    places: ['pod1'],
    open: async (asked: Parameters<ReturnType<typeof fakeShell>['opens']>[0]) => {
      const shell = fakeShell()
      shells.push(shell)
      return shell.opens(asked)
    },
  }
  const counted = () => Object.assign(createFakeTestbed(undefined, { counted: true }), { terminals })
  const room = await opened({ clock, counted, env: { EXPRESSLANE_WORKSHOP: '1' } })
  const [joinedAt, expiresAt] = [clock.now(), epochMs.parse(clock.now() + 36_000_000)]
  for (const id of ['alice', 'bob']) {
    const joined = { id, role: 'participant', name: id, invitation: null, joinedAt, expiresAt } as const
    room.server.deps.store.principals.add(joined)
  }
  const begins = (who: Person) => who.begins('big-tcp-ipv4', 'counted')
  return { ...room, clock, shells, begins, store: room.server.deps.store }
}

type Workshop = Awaited<ReturnType<typeof workshop>>

const isHands = (frame: StreamFrame): frame is HandsFrame => frame.type === 'hands'
const latest = (frames: readonly StreamFrame[]): readonly HandView[] => frames.findLast(isHands)?.hands ?? []
const seen = (client: StreamClient, enough: (hands: readonly HandView[]) => boolean): Promise<void> =>
  client.until((frames) => frames.some(isHands) && enough(latest(frames)))

const stuck = (session: string, step = 'preflight'): [string, object] => [
  `/api/sessions/${session}/steps/${step}/hand`,
  {},
]
const consents = (who: Person, session: string, body: object) => who.tries(`/api/sessions/${session}/hand`, body, 'PUT')
const looks = (who: Person, session: string, typing = false) =>
  who.tries(`/api/sessions/${session}/sharing`, { typing }, 'PUT')

async function opensTerminal(who: Person, testbed: string): Promise<string> {
  const place = { place: 'pod1', rows: 30, columns: 100 }
  return (await who.read(terminalView, `/api/testbeds/${testbed}/terminals`, 201, place)).id
}

/** A page at a terminal. */
function watch(port: number, token: string, id: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/terminals/${id}/stream`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const got: string[] = []
  const closed = Promise.withResolvers<void>()
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return void got.push(data.toString())
    const frame = terminalFrame.parse(JSON.parse(data.toString()))
    got.push(frame.type === 'ended' ? `ended: ${frame.message}` : Object.values(frame).join(' '))
  })
  socket.on('close', () => closed.resolve())
  onTestFinished(() => socket.terminate())
  return { socket, got, closed: closed.promise, send: (one: TerminalMessage) => socket.send(JSON.stringify(one)) }
}

/** Alice's hand is up, she lets the instructor in, and the instructor looks at her terminal. */
async function shared() {
  const room = await workshop()
  const { id, testbed } = await room.begins(room.hers)
  const terminal = await opensTerminal(room.hers, testbed)
  await room.hers.call(...stuck(id))
  await consents(room.hers, id, { letsIn: true })
  await looks(room.instructor, id)
  const page = watch(room.server.port, room.server.token, terminal)
  await expect.poll(() => page.got).toEqual(['from 0', 'size 30 100'])
  return { room, id, testbed, terminal, page, shell: room.shells[0] }
}

describe('hands', () => {
  it('are up in the order in which they were raised, and each person sees their own alone', async () => {
    const room = await workshop()
    const [hers, his] = [await room.begins(room.hers), await room.begins(room.his)]
    const streams = { instructor: room.instructor.stream(), hers: room.hers.stream(), his: room.his.stream() }
    await room.his.call(...stuck(his.id))
    room.clock.advance(1000)
    await room.hers.call(...stuck(hers.id, 'baseline'))
    await seen(streams.instructor, ({ length }) => length === 2)
    await seen(streams.hers, ({ length }) => length === 1)
    await seen(streams.his, ({ length }) => length === 1)
    const short = (hands: readonly HandView[]) =>
      hands.map(({ name, labId, stepId, before, letsIn }) => [name, labId, stepId, before, letsIn])
    const [first, second] = [
      ['bob', 'big-tcp-ipv4', 'preflight', 0, false],
      ['alice', 'big-tcp-ipv4', 'baseline', 1, false],
    ]
    expect(short(latest(streams.instructor.frames))).toEqual([first, second])
    expect(short(latest(streams.hers.frames))).toEqual([second])
    expect(short(latest(streams.his.frames))).toEqual([first])
    await room.his.call(`/api/sessions/${his.id}/hand`, undefined, 'DELETE')
    await seen(streams.hers, ([hand]) => hand?.before === 0)
    await seen(streams.instructor, ({ length }) => length === 1)
  })

  it('are kept with the way in which they went down, for a report', async () => {
    const room = await workshop()
    const { store, clock, hers } = room
    const [first, second] = [await room.begins(hers), await hers.begins('big-tcp-ipv6', 'counted')]
    const at = clock.now()
    await hers.call(...stuck(first.id))
    // Again in the same session: nothing changes.
    await hers.call(...stuck(first.id, 'baseline'))
    clock.advance(1000)
    await hers.call(...stuck(second.id, 'baseline'))
    await room.instructor.call(`/api/sessions/${second.id}/hand`, undefined, 'DELETE')
    const common = { person: 'alice', testbed: first.testbed, loweredAt: at + 1000 }
    expect(store.hands.all()).toMatchObject([
      { ...common, labId: 'big-tcp-ipv4', stepId: 'preflight', raisedAt: at, loweredBy: 'participant' },
      { ...common, labId: 'big-tcp-ipv6', stepId: 'baseline', raisedAt: at + 1000, loweredBy: 'instructor' },
    ])
    expect(store.hands.up()).toEqual([])
    const board = await room.instructor.read(roomView, '/api/room')
    const counted = board.labs.flatMap(({ labId, steps }) =>
      steps.flatMap(({ stepId, hands }) => (hands > 0 ? [[labId, stepId, hands]] : [])),
    )
    // Nobody has reached the other step.
    expect(counted).toEqual([['big-tcp-ipv4', 'preflight', 1]])
  })

  it('are forgotten, the oldest first, once a session has very many', async () => {
    const room = await workshop()
    const { id } = await room.begins(room.hers)
    const { hands } = room.store
    for (let at = 1; at <= 150; at += 1) {
      hands.raise({ sessionId: id, stepId: 'preflight', raisedAt: epochMs.parse(at) })
      hands.lower(id, epochMs.parse(at), 'participant')
    }
    expect(hands.all().map(({ raisedAt }) => raisedAt)).toEqual(Array.from({ length: 100 }, (_, at) => at + 51))
  })

  it('stay up when the server is killed, without the consent', async () => {
    const room = await workshop()
    const { id } = await room.begins(room.hers)
    await room.hers.call(...stuck(id))
    await consents(room.hers, id, { letsIn: true })
    const next = openStore(room.server.data)
    onTestFinished(() => next.close())
    expect(next.hands.up()).toMatchObject([{ person: 'alice', sessionId: id, stepId: 'preflight', loweredAt: null }])
    expect(Object.keys(next.hands.up()[0] ?? {})).not.toContain('letsIn')
  })

  it('need a step of the lab, in a session of one’s own', async () => {
    const room = await workshop()
    const { id } = await room.begins(room.hers)
    expect(await room.hers.tries(...stuck(id, 'nothing'))).toEqual([404, 'not_found'])
    expect(await room.his.tries(...stuck(id))).toEqual([404, 'not_found'])
    expect(await room.instructor.tries(...stuck(id))).toEqual([403, 'not_allowed'])
    expect(await room.viewer.tries(...stuck(id))).toEqual([403, 'not_allowed'])
    await room.hers.call(...stuck(id))
    expect(await room.his.tries(`/api/sessions/${id}/hand`, undefined, 'DELETE')).toEqual([404, 'not_found'])
    expect(room.store.hands.up()).toHaveLength(1)
  })
})

describe('an instructor who looks', () => {
  it('needs a hand and the consent of its participant, who alone can give it', async () => {
    const room = await workshop()
    const { id } = await room.begins(room.hers)
    expect(await consents(room.hers, id, { letsIn: true })).toEqual([404, 'not_found'])
    expect(await looks(room.instructor, id)).toEqual([404, 'not_found'])
    await room.hers.call(...stuck(id))
    expect(await looks(room.instructor, id)).toEqual([403, 'not_allowed'])
    for (const who of [room.instructor, room.viewer]) {
      expect(await consents(who, id, { letsIn: true })).toEqual([403, 'not_allowed'])
    }
    expect(await consents(room.his, id, { letsIn: true })).toEqual([404, 'not_found'])
    expect(await consents(room.hers, id, { typing: true })).toEqual([409, 'nothing_to_do'])
    expect(await consents(room.hers, id, { letsIn: true })).toEqual([204, null])
    for (const who of [room.hers, room.his, room.viewer]) expect(await looks(who, id)).toEqual([403, 'not_allowed'])
    expect(await looks(room.instructor, id)).toEqual([204, null])
  })

  it('sees the terminals of that session at once, and no others', async () => {
    const { room, id, testbed, terminal } = await shared()
    const stream = room.instructor.stream()
    await seen(stream, ([hand]) => hand?.sharing?.terminals.length === 1)
    expect(latest(stream.frames)[0]).toMatchObject({
      sessionId: id,
      sharing: { by: 'owner', typing: 'no', terminals: [{ id: terminal, testbed, place: 'pod1' }] },
    })
    const another = await opensTerminal(room.hers, testbed)
    await seen(stream, ([hand]) => hand?.sharing?.terminals.length === 2)
    await room.hers.call(`/api/terminals/${another}`, undefined, 'DELETE')
    await seen(stream, ([hand]) => hand?.sharing?.terminals.length === 1)

    const { testbed: his } = await room.begins(room.his)
    const elsewhere = await opensElsewhere(room)
    for (const one of [await opensTerminal(room.his, his), elsewhere]) {
      const page = watch(room.server.port, room.server.token, one)
      await page.closed
      expect(page.got).toEqual(['ended: This terminal has ended.'])
    }
    const bob = watch(room.server.port, 'bob-token', terminal)
    await bob.closed
    expect(bob.got).toEqual(['ended: This terminal has ended.'])
    expect(await room.instructor.tries(`/api/terminals/${terminal}`, undefined, 'DELETE')).toEqual([404, 'not_found'])
  })

  it('types after a second consent alone, and never changes the size; the log says where and when', async () => {
    const { room, id, testbed, terminal, page, shell } = await shared()
    const alice = watch(room.server.port, 'alice-token', terminal)
    await expect.poll(() => alice.got).toEqual(['from 0'])
    // Later messages of the same socket show that these have arrived, and did nothing.
    page.send({ type: 'keys', text: 'refused' })
    page.send({ type: 'size', rows: 5, columns: 5 })
    expect(await looks(room.instructor, id, true)).toEqual([204, null])
    page.send({ type: 'keys', text: 'asked' })
    const stream = room.hers.stream()
    await seen(stream, ([hand]) => hand?.sharing?.typing === 'asked')
    await pong(page.socket)
    expect(await consents(room.hers, id, { typing: true })).toEqual([204, null])
    page.send({ type: 'keys', text: 'ls\r' })
    await expect.poll(() => shell?.typed).toEqual(['ls\r'])
    expect(await consents(room.hers, id, { typing: false })).toEqual([204, null])
    page.send({ type: 'keys', text: 'stopped' })
    await pong(page.socket)
    expect(shell?.typed).toEqual(['ls\r'])
    alice.send({ type: 'size', rows: 40, columns: 120 })
    const later = () => {
      room.clock.advance(1000)
      return page.got
    }
    await expect.poll(later).toEqual(['from 0', 'size 30 100', 'size 40 120'])
    page.socket.close()
    const target = { id: terminal, sessionId: id, testbed, place: 'pod1' }
    const typing = async () => {
      const { entries } = await room.instructor.read(auditResponse, '/api/audit')
      return entries
        .filter(({ action }) => action.includes('typing'))
        .map((one) => [one.principal, one.action, one.target])
    }
    await expect.poll(typing).toEqual([
      ['owner', 'stops typing in a participant’s terminal', target],
      ['owner', 'begins typing in a participant’s terminal', target],
    ])
    const { text } = await room.instructor.call('/api/audit.csv')
    for (const line of ['letsIn=true', 'typing=true', 'PUT /api/sessions/:id/sharing']) expect(text).toContain(line)
    expect(text).not.toMatch(/\bls\b/)
  })

  const ends: [string, (at: Awaited<ReturnType<typeof shared>>) => unknown][] = [
    ['the participant takes the consent back', ({ room, id }) => consents(room.hers, id, { letsIn: false })],
    ['the hand goes down', ({ room, id }) => room.hers.call(`/api/sessions/${id}/hand`, undefined, 'DELETE')],
    [
      'the instructor leaves',
      ({ room, id }) => room.instructor.call(`/api/sessions/${id}/sharing`, undefined, 'DELETE'),
    ],
    [
      'the participant is removed',
      ({ room }) => room.instructor.call('/api/room/participants/alice', undefined, 'DELETE'),
    ],
    [
      'the hand goes up in another session',
      async ({ room }) => room.hers.call(...stuck((await room.hers.begins('big-tcp-ipv6', 'counted')).id)),
    ],
  ]
  it.each(ends)('no longer sees the terminal when %s', async (_, end) => {
    const at = await shared()
    await at.shell?.print('before ')
    await end(at)
    await at.page.closed
    void at.shell?.print('after')
    const said = 'ended: You no longer look at this terminal.'
    expect(at.page.got).toEqual(['from 0', 'size 30 100', 'before ', said])
    const again = watch(at.room.server.port, at.room.server.token, at.terminal)
    await again.closed
    expect(again.got).toEqual(['ended: This terminal has ended.'])
  })

  it('has left when their last page closes', async () => {
    const { room, page } = await shared()
    const stream = room.instructor.stream()
    await seen(stream, ([hand]) => hand?.sharing !== null)
    stream.socket.close()
    await page.closed
    const hers = room.hers.stream()
    await seen(hers, ([hand]) => hand?.sharing === null && hand.letsIn)
  })

  it('is out at once while another process has locked the database', async () => {
    const { room, id, page } = await shared()
    const lock = await lockedBy(room.server.data)
    // The clock stands still: nothing waits for the lock.
    expect(await consents(room.hers, id, { letsIn: false })).toEqual([204, null])
    await page.closed
    await lock.release()
    expect(await looks(room.instructor, id)).toEqual([403, 'not_allowed'])
  })

  it('is out at once when the participant is removed while the database is locked, and the hand is lowered later', async () => {
    const { room, page } = await shared()
    const lock = await lockedBy(room.server.data)
    room.server.deps.people.remove('alice')
    await page.closed
    expect(room.store.hands.up()).toHaveLength(1)
    expect(room.server.deps.hands.frame({ id: 'owner', role: 'instructor', name: 'Instructor' }).hands).toEqual([])
    await lock.release()
    await expect
      .poll(() => {
        room.clock.advance(1000)
        return room.store.hands.all()[0]?.loweredBy
      })
      .toBe('left')
  })
})

/** Alice's terminal on another testbed than that of the session. */
async function opensElsewhere(room: Workshop): Promise<string> {
  const { testbed } = await room.hers.begins('nodeport-services', 'counted')
  return opensTerminal(room.hers, testbed)
}

/** Resolves when the server has read everything that was sent before. */
async function pong(socket: WebSocket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.once('pong', () => resolve())
  socket.ping()
  await promise
}
