/** The instructor's board: who is where, and what the instructor does about it. */
import { runAccepted, type Session } from '@expresslane/shared/wire/protocol'
import { roomView, type RoomView } from '@expresslane/shared/wire/board'
import { epochMs } from '@expresslane/shared/base/units'
import { describe, expect, it } from 'vitest'
import { MOST_STREAMS, createPresence } from '../../src/classroom/presence.ts'
import { NEWS_EVERY_MS, createNews } from '../../src/classroom/news.ts'
import { testClock } from '../support/clock.ts'
import { classroom as opened, preflight, type Classroom, type Person } from '../support/http/people.ts'
import { greeted } from '../support/http/stream-client.ts'

/** Alice and Bob joined, too. */
async function classroom(): Promise<Classroom> {
  const room = await opened()
  const { store, clock } = room.server.deps
  const [joinedAt, expiresAt] = [clock.now(), epochMs.parse(clock.now() + 3_600_000)]
  for (const id of ['alice', 'bob']) {
    store.principals.add({ id, role: 'participant', name: id, invitation: null, joinedAt, expiresAt })
  }
  return room
}

const board = ({ instructor }: Classroom): Promise<RoomView> => instructor.read(roomView, '/api/room')

async function seatOf(room: Classroom, id: string) {
  return (await board(room)).participants.find((one) => one.id === id)?.seats[0]
}

const params = { repeats: 1, seconds: 1 }

async function starts(who: Person, session: Session, step: string, solve = false) {
  return who.read(runAccepted, `/api/sessions/${session.id}/steps/${step}/run`, 202, { params, solve })
}

describe('the board', () => {
  it('shows who is in the room, at which step, and what passed', async () => {
    const room = await classroom()
    const session = await room.hers.begins()
    await preflight(room.server, room.hers, session.id)
    const view = await board(room)
    expect(view).toMatchObject({ limit: 30, followers: 0, queue: { paused: false, running: [], waiting: [] } })
    expect(view.participants.map(({ id, online, seats }) => [id, online, seats.length])).toEqual([
      ['alice', false, 1],
      ['bob', false, 0],
    ])
    expect(view.participants[0]?.seats[0]).toEqual({
      sessionId: session.id,
      labId: 'big-tcp-ipv4',
      testbed: 'netns@alice',
      stepId: 'verify-off',
      passedSteps: ['preflight'],
      failed: null,
      run: null,
      result: null,
    })
  })

  it('shows whose page is open, and how many follow', async () => {
    const room = await classroom()
    const streams = [room.hers.stream(), room.viewer.stream(), room.viewer.stream()]
    await Promise.all(streams.map((stream) => stream.until(greeted)))
    const view = await board(room)
    expect(view.participants.map(({ online }) => online)).toEqual([true, false])
    expect(view.followers).toBe(1)
  })

  it.each(['instructor', 'participant', 'viewer'] as const)('closes the oldest of too many pages of one %s', (role) => {
    const presence = createPresence()
    const closed: [number, number][] = []
    const leaves = Array.from({ length: MOST_STREAMS[role] + 2 }, (_, page) =>
      presence.enter({ principal: { id: 'one', role, name: 'One' }, close: (code) => closed.push([page, code]) }),
    )
    expect(closed).toEqual([
      [0, 4009],
      [1, 4009],
    ])
    for (const leave of leaves) leave()
    expect(presence.isOnline('one')).toBe(false)
  })

  it('shows the result of a lab with its ratio, and keeps it when the board is asked again', async () => {
    const room = await classroom()
    const session = await room.hers.begins()
    const { runId } = await starts(room.hers, session, 'compare', true)
    await room.server.deps.scheduler.settled(runId)
    const seat = await seatOf(room, 'alice')
    expect(seat?.result).toMatchObject({ metric: 'tps', family: 'ipv4', low: null, high: null })
    expect(seat?.result?.ratio).toBeGreaterThan(0)
    expect(await seatOf(room, 'alice')).toEqual(seat)
  })

  it('shows a check that failed until it is repeated, with its words', async () => {
    const room = await classroom()
    const session = await room.hers.begins()
    const fake = room.server.fakes.at(-1)
    if (fake === undefined) throw new Error('no testbed was made')
    const { runId } = await starts(room.hers, session, 'read-off')
    await room.server.deps.scheduler.settled(runId)
    const failed = (await seatOf(room, 'alice'))?.failed
    expect(failed).toMatchObject({ stepId: 'read-off', runId })
    expect(failed?.message).not.toBe('')
    const again = await starts(room.hers, session, 'read-off', true)
    await room.server.deps.scheduler.settled(again.runId)
    expect((await seatOf(room, 'alice'))?.failed).toBeNull()
  })

  it('shows who measures and who waits, in the order of their turns', async () => {
    const room = await classroom()
    const { server, hers, his } = room
    const [one, other] = [await hers.begins(), await his.begins()]
    const [first, second] = server.fakes
    for (const [who, session] of [
      [hers, one],
      [his, other],
    ] as const) {
      const { runId } = await starts(who, session, 'read-off', true)
      await server.deps.scheduler.settled(runId)
    }
    const door = first?.hold('netperf')
    const measures = await starts(hers, one, 'baseline')
    await door?.reached
    const waits = await starts(his, other, 'baseline')
    const view = await board(room)
    expect(view.queue.waiting).toEqual([
      {
        runId: waits.runId,
        sessionId: other.id,
        person: 'bob',
        name: 'bob',
        labId: 'big-tcp-ipv4',
        stepId: 'baseline',
      },
    ])
    const runs = view.participants.map(({ seats }) => seats[0]?.run)
    expect(runs).toMatchObject([
      { runId: measures.runId, state: 'running', place: null },
      { runId: waits.runId, state: 'queued', place: 1 },
    ])
    door?.open()
    await server.deps.scheduler.settled(waits.runId)
    expect(second?.passed).toContain('netperf')
  })

  it('is announced on the instructor’s stream alone', async () => {
    const room = await classroom()
    const [theirs, hers] = [room.instructor.stream(), room.hers.stream()]
    await Promise.all([theirs.until(greeted), hers.until(greeted)])
    await preflight(room.server, room.his, (await room.his.begins()).id)
    await theirs.until((frames) => frames.some(({ type }) => type === 'room'))
    expect(hers.frames.some(({ type }) => type === 'room')).toBe(false)
  })

  it('is announced at most once a second', () => {
    const clock = testClock()
    const news = createNews(clock)
    const heard: number[] = []
    const unsubscribe = news.subscribe((revision) => heard.push(revision))
    for (let times = 0; times < 5; times += 1) news.note()
    expect(heard).toEqual([2])
    clock.advance(NEWS_EVERY_MS)
    expect(heard).toEqual([2, 3])
    clock.advance(NEWS_EVERY_MS)
    expect(heard).toEqual([2, 3])
    news.note()
    expect(heard).toEqual([2, 3, 4])
    unsubscribe()
  })
})

describe('a message', () => {
  it('reaches one participant, or all, and nobody else', async () => {
    const room = await classroom()
    const [hers, his, viewers] = [room.hers.stream(), room.his.stream(), room.viewer.stream()]
    await Promise.all([hers.until(greeted), his.until(greeted), viewers.until(greeted)])
    const send = (to: string | null, text: string) => room.instructor.call('/api/room/messages', { to, text })
    expect((await send('bob', 'Look at step 3')).status).toBe(204)
    expect((await send(null, 'Five more minutes')).status).toBe(204)
    const texts = (of: typeof hers) => of.frames.flatMap((frame) => (frame.type === 'message' ? [frame.text] : []))
    await Promise.all([hers, his].map((of) => of.until(() => texts(of).includes('Five more minutes'))))
    expect(texts(hers)).toEqual(['Five more minutes'])
    expect(texts(his)).toEqual(['Look at step 3', 'Five more minutes'])
    expect(texts(viewers)).toEqual([])
  })

  it('is plain text on one line, and short', async () => {
    const { instructor } = await classroom()
    for (const text of [
      '',
      ' ',
      'two\nlines',
      'x'.repeat(281),
      'left\u202eright',
      'zero\u200bwidth',
      'mark\u061cof direction',
      'tag\u{E0041}',
    ]) {
      expect(await instructor.tries('/api/room/messages', { to: null, text })).toEqual([400, 'bad_request'])
    }
  })
})

describe('a participant who is removed', () => {
  it('loses connections, runs and testbed; the results stay', async () => {
    const room = await classroom()
    const { server, instructor, hers } = room
    const session = await hers.begins()
    const done = await preflight(server, hers, session.id)
    const stream = hers.stream()
    await stream.until(greeted)
    const fake = server.fakes.find(({ passed }) => passed.includes('preflight'))
    const door = fake?.hold('preflight')
    const { runId } = await starts(hers, session, 'preflight')
    await door?.reached
    expect((await instructor.call('/api/room/participants/alice', undefined, 'DELETE')).status).toBe(204)
    expect(await stream.closed).toBe(4003)
    await server.deps.room.leave('alice')
    expect(server.deps.log.state(runId)?.state).toBe('cancelled')
    expect(server.deps.log.state(done)?.outcome?.passed).toBe(true)
    expect(server.deps.testbeds.made()).not.toContain('netns@alice')
    expect((await board(room)).participants.map(({ id }) => id)).toEqual(['bob'])
    expect(await instructor.tries('/api/room/participants/alice', undefined, 'DELETE')).toEqual([404, 'not_found'])
    expect(await instructor.tries('/api/room/participants/owner', undefined, 'DELETE')).toEqual([404, 'not_found'])
  })

  it('starts no run that was about to start', async () => {
    const { server, hers } = await classroom()
    const session = await hers.begins()
    const { scheduler, people, store } = server.deps
    const starting = scheduler.start(session, { stepId: 'preflight', params: {}, solve: false })
    expect(people.remove('alice')).toBe(true)
    await expect(starting).rejects.toMatchObject({ code: 'not_allowed' })
    expect(store.runs.ofSession(session.id)).toEqual([])
  })
})
