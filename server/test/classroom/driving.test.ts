/** A person drives the shared cluster while the rest of the room follows. */
import { testbedId, thisMachine } from '@expresslane/shared/testbed/id'
import { runAccepted, type Driver, type Session } from '@expresslane/shared/wire/protocol'
import type { StreamFrame } from '@expresslane/shared/wire/stream'
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../src/access/principal.ts'
import { ANSWER_MS, createDriving, type Driving } from '../../src/classroom/driving.ts'
import { createMessages } from '../../src/classroom/messages.ts'
import { testClock } from '../support/clock.ts'
import { classroom, preflight, type Person } from '../support/http/people.ts'
import { greeted } from '../support/http/stream-client.ts'

const cluster = testbedId.parse('kubernetes:kind-kind')
const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((id): Principal => ({
  id,
  role: 'participant',
  name: id,
})) as [Principal, Principal, Principal]
const ina: Principal = { id: 'owner', role: 'instructor', name: 'Ina' }

function wheel() {
  const clock = testClock()
  const messages = createMessages(clock)
  const heard: string[] = []
  for (const person of [alice, bob, carol, ina]) {
    messages.subscribe(person, ({ text }) => heard.push(`${person.id}: ${text}`))
  }
  return { clock, heard, driving: createDriving(clock, messages) }
}

function driverOf(driving: Driving): Driver | null {
  return driving.frame().drivers.find(({ testbed }) => testbed === cluster)?.driver ?? null
}

describe('driving', () => {
  it('begins with the first step, and refuses the steps of others with who drives', () => {
    const { driving, clock } = wheel()
    expect(driverOf(driving)).toBeNull()
    driving.require(alice, cluster)
    driving.require(alice, cluster)
    expect(driverOf(driving)).toEqual({ person: 'alice', name: 'alice', since: clock.now(), asked: null })
    expect(() => driving.require(bob, cluster)).toThrow('alice has been driving this cluster since 00:00 UTC.')
    expect(() => driving.require(ina, cluster)).toThrow('alice has been driving')
  })

  it('is only for clusters', () => {
    const { driving } = wheel()
    for (const id of [thisMachine, testbedId.parse('netns@alice'), testbedId.parse('recording:big-tcp-ipv4')]) {
      driving.require(alice, id)
      driving.require(bob, id)
      expect(driving.ask(bob, id)).toBeNull()
    }
  })

  it('is asked for, and may be taken after 60 s without an answer', () => {
    const { driving, clock, heard } = wheel()
    driving.require(alice, cluster)
    expect(driving.ask(bob, cluster)?.asked).toEqual({ person: 'bob', name: 'bob', at: clock.now() })
    expect(driverOf(driving)?.asked?.person).toBe('bob')
    expect(heard).toEqual([])
    clock.advance(ANSWER_MS - 1)
    expect(driving.ask(bob, cluster)?.person).toBe('alice')
    // Somebody else who asks in between does not restart Bob's minute.
    expect(driving.ask(carol, cluster)?.asked?.person).toBe('bob')
    clock.advance(1)
    expect(driving.ask(carol, cluster)?.person).toBe('alice')
    expect(driving.ask(bob, cluster)).toMatchObject({ person: 'bob', asked: null, since: clock.now() })
    expect(heard.at(-1)).toBe('alice: bob drives the cluster now.')
    expect(() => driving.require(alice, cluster)).toThrow('bob has been driving')
  })

  it('is kept by an answer, and the question can be asked again', () => {
    const { driving, clock, heard } = wheel()
    driving.require(alice, cluster)
    driving.ask(bob, cluster)
    expect(driving.ask(alice, cluster)?.asked).toBeNull()
    expect(heard.at(-1)).toBe('bob: alice still drives the cluster.')
    clock.advance(2 * ANSWER_MS)
    expect(driving.ask(bob, cluster)).toMatchObject({ person: 'alice', asked: { person: 'bob' } })
  })

  it('is given back, to the person who asked', () => {
    const { driving, heard } = wheel()
    driving.require(alice, cluster)
    driving.ask(bob, cluster)
    expect(() => driving.giveBack(carol, cluster)).toThrow('alice has been driving')
    expect(driving.giveBack(alice, cluster)?.person).toBe('bob')
    expect(heard.at(-1)).toBe('bob: You drive the cluster now.')
    expect(driving.giveBack(bob, cluster)).toBeNull()
    driving.require(carol, cluster)
    expect(driverOf(driving)?.person).toBe('carol')
  })

  it('is taken at once by an instructor, and ends when the driver is removed', () => {
    const { driving } = wheel()
    driving.require(alice, cluster)
    expect(driving.ask(ina, cluster)?.person).toBe('owner')
    driving.ask(bob, cluster)
    driving.leave('bob')
    expect(driverOf(driving)).toMatchObject({ person: 'owner', asked: null })
    driving.leave('owner')
    expect(driverOf(driving)).toBeNull()
  })
})

describe('a run by somebody else, for a participant', () => {
  it('is the step, and neither the run nor the session', async () => {
    const { server, instructor } = await classroom()
    const session = await instructor.begins()
    await preflight(server, instructor, session.id)
    const { reach } = server.deps
    const [row] = server.deps.store.runs.ofSession(session.id)
    if (row === undefined) throw new Error('no run')
    const busy = { runId: row.id, sessionId: row.sessionId, stepId: row.stepId }
    expect(reach.busy(alice, busy)).toEqual({ runId: null, sessionId: null, stepId: 'preflight' })
    expect(reach.busy(ina, busy)).toEqual(busy)
    expect(reach.busy(alice, null)).toBeNull()
  })
})

describe('the run that uses a testbed', () => {
  it('is known to every open page while it runs, and to a page that opens meanwhile, by its ids where they may be read', async () => {
    const { server, hers, his, viewer, instructor } = await classroom({ cluster: 'kind-kind' })
    const session = await instructor.begins('big-tcp-ipv4', 'kubernetes')
    const hersAlone = await hers.begins()
    const last = (frames: readonly StreamFrame[]) => frames.findLast((frame) => frame.type === 'holders')?.holders
    const on = (count: number) => (frames: readonly StreamFrame[]) => last(frames)?.length === count
    const [his1, viewers] = [his.stream(), viewer.stream()]
    await Promise.all([his1.until(on(0)), viewers.until(greeted)])
    const doors = server.fakes.map((fake) => fake.hold('preflight'))
    const start = async (who: Person, { id }: Session) =>
      (await who.read(runAccepted, `/api/sessions/${id}/steps/preflight/run`, 202, {})).runId
    const runs = [await start(instructor, session), await start(hers, hersAlone)] as const
    await his1.until(on(1))
    const stepId = 'preflight'
    const unnamed = { testbed: cluster, holder: { runId: null, sessionId: null, stepId } }
    const named = { testbed: cluster, holder: { runId: runs[0], sessionId: session.id, stepId } }
    expect(last(his1.frames)).toEqual([unnamed])
    const [hers2, instructors] = [hers.stream(), instructor.stream()]
    await Promise.all([hers2.until(on(2)), instructors.until(on(2))])
    expect(last(hers2.frames)?.map(({ testbed, holder }) => [testbed, holder.runId])).toEqual([
      [cluster, null],
      ['netns@alice', runs[1]],
    ])
    expect(last(instructors.frames)).toContainEqual(named)
    for (const door of doors) door.open()
    await Promise.all([his1, hers2, instructors].map((stream) => stream.until(on(0))))
    // At first, at the start and at the end: her run on her own testbed is no news to him.
    expect(his1.frames.filter(({ type }) => type === 'holders')).toHaveLength(3)
    expect(viewers.frames.some(({ type }) => type === 'holders')).toBe(false)
  })
})

describe('a cluster that somebody else drives', () => {
  const path = '/api/testbeds/kubernetes/driver'

  it('is not rehearsed on, nor changed by autopilot', async () => {
    const { server, hers, instructor } = await classroom({ cluster: 'kind-kind' })
    const session = await instructor.begins('big-tcp-ipv4', 'kubernetes')
    expect(await hers.tries(path, {})).toEqual([200, null])
    expect(await instructor.tries(`/api/sessions/${session.id}/rehearsal`, {})).toEqual([409, 'not_driving'])
    expect(server.deps.rehearsals.find(session)).toBeNull()
    const { presenting } = server.deps
    presenting.begin(session, 'preflight')
    const command = { do: 'autopilot', on: true }
    expect(await instructor.tries('/api/presentation/commands', command)).toEqual([409, 'not_driving'])
    expect(presenting.current()?.autopilot.state).toBe('off')
    expect(server.deps.store.runs.open()).toEqual([])
  })

  it('stops an autopilot that led, before its next step', async () => {
    const { server, instructor } = await classroom({ cluster: 'kind-kind' })
    const session = await instructor.begins('big-tcp-ipv4', 'kubernetes')
    const { presenting, driving } = server.deps
    const door = server.fakes.at(-1)?.hold('preflight')
    presenting.begin(session, 'verify-off')
    presenting.command({ do: 'autopilot', on: true }, ina)
    expect(driverOf(driving)?.person).toBe('owner')
    await door?.reached
    driving.giveBack(ina, cluster)
    driving.ask(alice, cluster)
    const stopped = Promise.withResolvers<void>()
    presenting.subscribe((shown) => {
      if (shown?.autopilot.state === 'stopped') stopped.resolve()
      if (shown?.autopilot.state === 'pausing') presenting.command({ do: 'autopilot', on: true, pace: 0.25 }, ina)
    })
    door?.open()
    await stopped.promise
    expect(presenting.current()?.autopilot.problem).toContain('alice has been driving this cluster')
  })

  it('is given back only by its driver, and no other is invented', async () => {
    const { server, hers, his } = await classroom({ cluster: 'kind-kind' })
    expect(await hers.tries(path, {})).toEqual([200, null])
    expect(await his.tries(path, undefined, 'DELETE')).toEqual([409, 'not_driving'])
    expect(await hers.tries('/api/testbeds/kubernetes:invented/driver', {})).toEqual([404, 'not_found'])
    expect(server.deps.driving.frame().drivers.map(({ testbed }) => testbed)).toEqual(['kubernetes:kind-kind'])
  })

  it('is known to every open page of the workshop as soon as it changes, and to a page that opens later', async () => {
    const { hers, his, viewer, instructor } = await classroom({
      cluster: 'kind-kind',
      env: { EXPRESSLANE_WORKSHOP: '1', HOST: '127.0.0.1' },
    })
    const drivers = (frames: readonly StreamFrame[]) =>
      frames.flatMap((frame) => (frame.type === 'drivers' ? [frame.drivers.map(({ driver }) => driver.name)] : []))
    const last = (frames: readonly StreamFrame[], name: string) => drivers(frames).at(-1)?.[0] === name
    const [theirs, viewers] = [his.stream(), viewer.stream()]
    await Promise.all([theirs, viewers].map((stream) => stream.until(greeted)))
    await theirs.until((frames) => drivers(frames).length > 0)
    expect(await hers.tries(path, {})).toEqual([200, null])
    await theirs.until((frames) => last(frames, 'alice'))
    expect(await instructor.tries(path, {})).toEqual([200, null])
    await theirs.until((frames) => last(frames, 'Instructor'))
    await hers.stream().until((frames) => last(frames, 'Instructor'))
    expect(drivers(viewers.frames)).toEqual([])
  })
})

describe('the runs of a person', () => {
  it('are bounded', async () => {
    const { server, hers } = await classroom()
    const { id } = await hers.begins()
    const door = server.fakes.at(-1)?.hold('preflight')
    const path = `/api/sessions/${id}/steps/preflight/run`
    for (let runs = 0; runs < 16; runs += 1) expect(await hers.tries(path, {})).toEqual([202, null])
    expect(await hers.tries(path, {})).toEqual([409, 'queue_full'])
    await door?.reached
    door?.open()
  })
})
