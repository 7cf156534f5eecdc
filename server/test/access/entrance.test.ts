/** Codes over time: when they expire, and what guessing costs. */
import { describe, expect, it } from 'vitest'
import { GUESSED_MS, MOST_GUESSES } from '../../src/access/joining/doors.ts'
import { codeOfError, HERE, HOUR, room, type Room } from '../support/room.ts'

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

  it('for three days keeps the people who joined with it for three days', async () => {
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
  /** Types wrong codes, all at once. */
  async function guess(of: Room, count: number, address = HERE): Promise<string[]> {
    const answers = Array.from({ length: count }, (_, index) =>
      codeOfError(of.entrance.admit(`${100_000 + index}`, address)),
    )
    of.clock.advance(4000)
    return Promise.all(answers)
  }

  it('is answered late, and later for each different code, up to 4 s', async () => {
    const { clock, entrance } = room()
    for (const [index, delay] of [250, 500, 1000, 2000, 4000, 4000].entries()) {
      const answered: string[] = []
      const answer = codeOfError(entrance.admit(`AAAAA${index}`, HERE)).then((error) => answered.push(error))
      clock.advance(delay - 1)
      await Promise.resolve()
      expect(answered).toEqual([])
      clock.advance(1)
      await answer
      expect(answered).toEqual(['code_invalid'])
    }
  })

  it('does not keep anybody at the same address from coming in at once, with the right code', async () => {
    const of = room()
    const code = of.entrance.setDoor('participant', true).code ?? ''
    expect(new Set(await guess(of, 50))).toEqual(new Set(['code_invalid']))
    // The clock stands still: it does not wait.
    expect(await of.entrance.admit(code, HERE)).toMatchObject({ kind: 'guest', role: 'participant' })
  })

  it('ends with other codes to type; the codes of links stay', async () => {
    const of = room()
    const { entrance, send, codeOf, changes } = of
    const before = entrance.setDoor('viewer', true)
    await guess(of, MOST_GUESSES - 1)
    expect([entrance.doors()[0], changes()]).toEqual([before, 0])
    await guess(of, 1, '192.0.2.2')
    const [after] = entrance.doors()
    expect(after?.code).toMatch(/^[2-9A-HJKMNP-TV-Z]{6}$/)
    expect([after?.code === before.code, after?.link, changes()]).toEqual([false, before.link, 1])
    expect(await codeOfError(send(before.code ?? ''))).toBe('code_invalid')
    expect(await send(after?.code ?? '')).toMatchObject({ role: 'viewer' })
    expect(await send(codeOf(before.link ?? ''))).toMatchObject({ role: 'viewer' })
  })

  it('leaves no code to type if it goes on, until ten minutes are over or the instructor makes a new code', async () => {
    const of = room()
    const { entrance, clock, send, codeOf } = of
    const { link } = entrance.setDoor('viewer', true)
    await guess(of, 2 * MOST_GUESSES)
    expect(entrance.doors()[0]).toEqual({ role: 'viewer', code: null, link })
    expect(await codeOfError(send(''))).toBe('code_invalid')
    expect(await send(codeOf(link ?? ''))).toMatchObject({ role: 'viewer' })
    clock.advance(GUESSED_MS)
    const code = entrance.doors()[0]?.code ?? ''
    expect(await send(code)).toMatchObject({ role: 'viewer' })
    await guess(of, MOST_GUESSES)
    expect(entrance.doors()[0]?.code).toBeNull()
    const opened = entrance.setDoor('viewer', true)
    expect(await send(opened.code ?? '')).toMatchObject({ role: 'viewer' })
  })
})

describe('a wrong long code', () => {
  it('is answered late, and does not change the codes of doors', async () => {
    const { clock, entrance, changes } = room()
    const { code } = entrance.setDoor('viewer', true)
    const wrong = Array.from({ length: 120 }, () => codeOfError(entrance.admit('a'.repeat(42), HERE)))
    clock.advance(250)
    expect(new Set(await Promise.all(wrong))).toEqual(new Set(['code_invalid']))
    expect([entrance.doors()[0]?.code, changes()]).toEqual([code, 0])
  })
})

describe('somebody who was removed', () => {
  it('has no code that still lets them in; those who are in stay', async () => {
    const { entrance, people, send, codeOf } = room()
    const { link, invitation } = entrance.invite('participant', 12)
    const other = entrance.invite('participant', 12)
    const doors = [entrance.setDoor('participant', true), entrance.setDoor('viewer', true)]
    const join = (name: string) =>
      people.join({ role: 'participant', name, invitation: invitation.id, until: invitation.expiresAt })
    const [anna, ben] = [join('Anna'), join('Ben')]
    people.remove(anna.principal.id)
    entrance.renewDoors()
    for (const one of [codeOf(link), ...doors.flatMap((door) => [door.code ?? '', codeOf(door.link ?? '')])]) {
      expect(await codeOfError(send(one))).toBe('code_invalid')
    }
    expect(people.withKey(ben.key)?.name).toBe('Ben')
    expect(await send(codeOf(other.link))).toMatchObject({ role: 'participant' })
    for (const { role, code } of entrance.doors()) expect(await send(code ?? '')).toMatchObject({ role })
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
