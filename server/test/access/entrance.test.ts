/** Codes over time: when they expire, and what guessing costs. */
import { LabError } from '@expresslane/shared/wire/errors'
import { describe, expect, it } from 'vitest'
import { createAttempts } from '../../src/access/attempts.ts'
import { createEntrance, type Admission, type Entrance } from '../../src/access/entrance.ts'
import type { Store } from '../../src/store/open.ts'
import { createPeople, type People } from '../../src/access/people.ts'
import { testClock, type TestClock } from '../support/clock.ts'
import { openRig } from '../support/deps.ts'

const HERE = '192.0.2.1'
const HOUR = 60 * 60_000

interface Room {
  readonly clock: TestClock
  readonly store: Store
  readonly entrance: Entrance
  readonly people: People
  readonly removed: string[]
  /** The ids of those with an open page. */
  readonly online: Set<string>
  /** Sends a code, and lets as much time pass as a wrong one has to wait. */
  send(code: string, address?: string): Promise<Admission>
  codeOf(link: string): string
}

function room(): Room {
  const { store } = openRig().deps
  const clock = testClock()
  const removed: string[] = []
  const online = new Set<string>()
  const people = createPeople({
    store,
    clock,
    limit: 2,
    viewers: 3,
    isOnline: (id) => online.has(id),
    onRemoved: (id) => removed.push(id),
  })
  const entrance = createEntrance({
    store,
    people,
    clock,
    attempts: createAttempts(clock),
    workshop: true,
    origin: () => 'https://room.example',
  })
  return {
    clock,
    store,
    entrance,
    people,
    removed,
    online,
    send(code, address = HERE) {
      const answer = entrance.admit(code, address)
      clock.advance(4000)
      return answer
    },
    codeOf: (link) => link.split('/').at(-1) ?? '',
  }
}

const codeOfError = async (answer: Promise<unknown>): Promise<string> => {
  try {
    await answer
  } catch (error) {
    if (error instanceof LabError) return error.code
  }
  return 'none'
}

describe('an invitation', () => {
  it('has at least 80 random bits, and another code each time', () => {
    const { entrance, codeOf } = room()
    const codes = Array.from({ length: 50 }, () => codeOf(entrance.invite('viewer', 1).link))
    expect(new Set(codes).size).toBe(50)
    // Ten characters say which row; 32 of 6 bits are the secret.
    for (const code of codes) expect(code).toMatch(/^[a-z0-9]{10}[\w-]{32}$/)
  })

  it('lets in until it expires; those who are in stay for a day at least', async () => {
    const { clock, entrance, people, send, codeOf } = room()
    const { link, invitation } = entrance.invite('participant', 1)
    const admission = { kind: 'guest', role: 'participant', invitation: invitation.id, until: invitation.expiresAt }
    expect(await send(codeOf(link))).toEqual(admission)
    const { key, principal } = people.join({
      role: 'participant',
      name: 'Anna',
      invitation: invitation.id,
      until: null,
    })
    clock.advance(HOUR)
    expect(await codeOfError(send(codeOf(link)))).toBe('code_invalid')
    expect(people.withKey(key)).toEqual(principal)
    clock.advance(23 * HOUR)
    expect(people.withKey(key)).toBeNull()
    expect(people.participants()).toEqual([])
  })

  it('of three days keeps those who joined with it for three days', async () => {
    const { clock, entrance, people, send, codeOf } = room()
    const admission = await send(codeOf(entrance.invite('participant', 72).link))
    if (admission.kind !== 'guest') throw new Error('not a guest')
    const { key } = people.join({ ...admission, name: 'Anna' })
    clock.advance(71 * HOUR)
    expect(people.withKey(key)?.name).toBe('Anna')
    clock.advance(HOUR)
    expect(people.withKey(key)).toBeNull()
  })

  it('takes the access of those who joined with it back when it is revoked', async () => {
    const { entrance, people, removed, send, codeOf } = room()
    const { link, invitation } = entrance.invite('participant', 1)
    const anna = people.join({ role: 'participant', name: 'Anna', invitation: invitation.id, until: null })
    const ben = people.join({ role: 'participant', name: 'Ben', invitation: null, until: null })
    const own = entrance.linkFor(anna.principal.id, 'participant')
    expect(await send(codeOf(own.link))).toEqual({ kind: 'again', principal: anna.principal.id })
    entrance.revoke(invitation.id)
    expect(removed).toEqual([anna.principal.id])
    expect([people.withKey(anna.key), people.withKey(ben.key)]).toEqual([null, ben.principal])
    expect([people.holds(anna.principal), people.holds(ben.principal)]).toEqual([false, true])
    expect(await codeOfError(send(codeOf(link)))).toBe('code_invalid')
    expect(await codeOfError(send(codeOf(own.link)))).toBe('code_invalid')
    entrance.revoke(invitation.id)
    expect(removed).toHaveLength(1)
  })

  it('for another device of a person ends after a quarter of an hour, and can’t be revoked as an invitation', async () => {
    const { clock, entrance, people, send, codeOf } = room()
    const { principal } = people.join({ role: 'participant', name: 'Anna', invitation: null, until: null })
    const own = entrance.linkFor(principal.id, 'participant')
    expect(() => entrance.revoke(own.invitation.id)).toThrow('does not exist')
    clock.advance(HOUR / 4)
    expect(await codeOfError(send(codeOf(own.link)))).toBe('code_invalid')
  })

  it('for another device replaces the one before; a person has ten logins, the newest', async () => {
    const { entrance, people, send, codeOf } = room()
    const join = (name: string) => people.join({ role: 'participant', name, invitation: null, until: null })
    const [anna, ben] = [join('Anna'), join('Ben')]
    const linkOf = ({ principal }: typeof anna) => codeOf(entrance.linkFor(principal.id, 'participant').link)
    const [old, bens, current] = [linkOf(anna), linkOf(ben), linkOf(anna)]
    expect(await codeOfError(send(old))).toBe('code_invalid')
    expect(await send(bens)).toEqual({ kind: 'again', principal: ben.principal.id })
    expect(await send(current)).toEqual({ kind: 'again', principal: anna.principal.id })
    const keys = [anna.key, ...Array.from({ length: 11 }, () => people.logIn(anna.principal.id))]
    expect(keys.map((key) => people.withKey(key) !== null)).toEqual([false, false, ...Array(10).fill(true)])
    expect(people.withKey(ben.key)).toEqual(ben.principal)
  })

  it.each([
    (code: string) => code.slice(0, -1),
    (code: string) => `${code}A`,
    (code: string) => `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`,
    (code: string) => `aaaaaaaaaa${code.slice(10)}`,
    (code: string) => code.toUpperCase(),
    (code: string) => `${code.slice(0, 10)}' OR 1=1 --`,
    () => '',
  ])('is not found by a code that is nearly the same', async (change) => {
    const { entrance, send, codeOf } = room()
    const code = codeOf(entrance.invite('viewer', 1).link)
    expect(await codeOfError(send(change(code)))).toBe('code_invalid')
  })
})

describe('a door', () => {
  it('has a link with at least 80 random bits, which a new code and closing replace', async () => {
    const { entrance, send, codeOf } = room()
    const linkOf = (open: boolean) => codeOf(entrance.setDoor('viewer', open).link ?? '')
    const codes = Array.from({ length: 50 }, () => linkOf(true))
    expect(new Set(codes).size).toBe(50)
    for (const code of codes) expect(code).toMatch(/^[\w-]{22}$/)
    expect(await codeOfError(send(codes[48] ?? ''))).toBe('code_invalid')
    expect(await send(codes[49] ?? '')).toMatchObject({ kind: 'guest', role: 'viewer' })
    expect(codeOf(entrance.doors()[0]?.link ?? '')).toBe(codes[49])
    linkOf(false)
    expect(await codeOfError(send(codes[49] ?? ''))).toBe('code_invalid')
  })
})

describe('guessing', () => {
  it('is answered late, and later each time', async () => {
    const clock = testClock()
    const attempts = createAttempts(clock)
    for (const delay of [250, 500, 1000, 2000, 4000, 4000]) {
      const answered: string[] = []
      const answer = attempts.failed(HERE).then(() => answered.push('late'))
      clock.advance(delay - 1)
      await Promise.resolve()
      expect(answered).toEqual([])
      clock.advance(1)
      await answer
      expect(answered).toEqual(['late'])
    }
  })

  it('ends for an address after 20 codes, the right one included, for ten minutes', async () => {
    const { clock, entrance, send, codeOf } = room()
    const code = entrance.setDoor('viewer', true).code ?? ''
    for (let attempt = 0; attempt < 20; attempt += 1) expect(await codeOfError(send('AAAAAA'))).toBe('code_invalid')
    expect(await codeOfError(send('AAAAAA'))).toBe('too_many_attempts')
    expect(await codeOfError(send(code))).toBe('too_many_attempts')
    expect(await send(code, '192.0.2.2')).toMatchObject({ kind: 'guest', role: 'viewer' })
    expect(await send(codeOf(entrance.invite('viewer', 1).link))).toMatchObject({ role: 'viewer' })
    clock.advance(10 * 60_000)
    expect(await send(code)).toMatchObject({ role: 'viewer' })
  })

  it('ends for everybody after 100 codes, whatever the addresses; links still work', async () => {
    const { entrance, send, codeOf } = room()
    const { code, link } = entrance.setDoor('viewer', true)
    // All at once: what waits counts already.
    const wrong = Array.from({ length: 120 }, (_, index) => codeOfError(send('AAAAAA', `192.0.2.${index}`)))
    const answers = await Promise.all(wrong)
    expect(answers.filter((one) => one === 'code_invalid')).toHaveLength(100)
    expect(answers.filter((one) => one === 'too_many_attempts')).toHaveLength(20)
    expect(await codeOfError(send(code ?? '', '198.51.100.1'))).toBe('too_many_attempts')
    expect(await send(codeOf(link ?? ''), '198.51.100.1')).toMatchObject({ role: 'viewer' })
    expect(await send(codeOf(entrance.invite('viewer', 1).link), '198.51.100.1')).toMatchObject({ role: 'viewer' })
  })
})

describe('a wrong long code', () => {
  it('is answered late, and does not count towards the limit of short ones', async () => {
    const { clock, entrance, send } = room()
    const { code } = entrance.setDoor('viewer', true)
    const wrong = Array.from({ length: 120 }, () => codeOfError(send('a'.repeat(42))))
    expect(new Set(await Promise.all(wrong))).toEqual(new Set(['code_invalid']))
    expect(await send(code ?? '')).toMatchObject({ role: 'viewer' })
    const answered: string[] = []
    const answer = codeOfError(entrance.admit('a'.repeat(22), HERE)).then((error) => answered.push(error))
    clock.advance(249)
    await Promise.resolve()
    expect(answered).toEqual([])
    clock.advance(1)
    await answer
    expect(answered).toEqual(['code_invalid'])
  })
})

describe('the store', () => {
  it('forgets viewers and links to other devices once they are out of date, and keeps participants', () => {
    const { clock, people, entrance, store } = room()
    const viewer = people.join({ role: 'viewer', name: 'Viewer', invitation: null, until: null }).principal
    const anna = people.join({ role: 'participant', name: 'Anna', invitation: null, until: null }).principal
    const own = entrance.linkFor(anna.id, 'participant').invitation
    store.principals.forget(clock.now())
    expect(store.principals.find(viewer.id)).not.toBeNull()
    clock.advance(24 * HOUR)
    store.principals.forget(clock.now())
    expect([store.principals.find(viewer.id), store.invitations.find(own.id)]).toEqual([null, null])
    expect(store.principals.find(anna.id)?.name).toBe('Anna')
  })
})

describe('a room', () => {
  it('full of viewers lets the oldest one without an open page go, and is full when all have one', () => {
    const { people, online } = room()
    const join = () => people.join({ role: 'viewer', name: 'Viewer', invitation: null, until: null })
    const [first, second, third] = [join(), join(), join()]
    online.add(first.principal.id)
    const fourth = join()
    const holds = [first, second, third, fourth].map(({ key }) => people.withKey(key) !== null)
    expect(holds).toEqual([true, false, true, true])
    for (const { principal } of [third, fourth]) online.add(principal.id)
    expect(join).toThrow('3 people follow this talk')
    online.delete(third.principal.id)
    expect(people.withKey(join().key)?.role).toBe('viewer')
    expect(people.withKey(third.key)).toBeNull()
  })

  it('has a limit of participants', () => {
    const { people } = room()
    for (const name of ['Anna', 'Ben']) people.join({ role: 'participant', name, invitation: null, until: null })
    expect(() => people.join({ role: 'participant', name: 'Cleo', invitation: null, until: null })).toThrow('full')
    expect(people.participants().map(({ name }) => name)).toEqual(['Anna', 'Ben'])
    expect(people.join({ role: 'viewer', name: 'Viewer', invitation: null, until: null }).principal.role).toBe('viewer')
  })
})
