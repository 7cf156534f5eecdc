/** The people of a room: names, log-outs, and how many may join. */
import { describe, expect, it } from 'vitest'
import { HERE, room, type Room } from '../support/room.ts'

describe('a name', () => {
  const join = (of: Room, name: string) => of.people.join({ role: 'participant', name, invitation: null, until: null })

  it.each([
    ['Anna', 'Anna'],
    ['Anna', 'ANNA'],
    ['Anna', 'Аnnа'],
    ['Anna', ' An-na '],
    ['Ian', 'lan'],
    ['Müller', 'Mu\u0308ller'],
    ['Bernd', 'Bemd'],
    ['O2', '02'],
  ])('%s is taken for somebody who is called %s', (present, name) => {
    const of = room()
    join(of, present)
    expect(() => join(of, name)).toThrowError(expect.objectContaining({ code: 'name_taken', status: 409 }))
    expect(of.people.participants()).toHaveLength(1)
  })

  it.each(['Instructor', 'lnstructor', 'INSTRUCT0R', 'Instruсtor'])('%s is the instructor’s', (name) => {
    expect(() => join(room(), name)).toThrowError(expect.objectContaining({ code: 'name_taken' }))
  })

  it.each([
    ['Anna', 'Anne'],
    ['Müller', 'Muller'],
    ['陳', '李'],
    ['Anna 1', 'Anna 2'],
  ])('%s does not look like %s', (present, name) => {
    const of = room()
    join(of, present)
    expect(join(of, name).principal.name).toBe(name)
  })

  it('is free again when its owner has left or was removed', () => {
    const of = room()
    const anna = join(of, 'Anna')
    of.people.logOut(anna.principal, anna.key.slice(0, 10))
    const again = join(of, 'Anna')
    of.people.remove(again.principal.id)
    expect(join(of, 'Anna').principal.role).toBe('participant')
  })
})

describe('logging out', () => {
  const join = (of: Room, name: string) => of.people.join({ role: 'participant', name, invitation: null, until: null })
  const loginOf = (key: string): string => key.slice(0, 10)

  it('ends one login; without another one the person has left, and the seat is free', () => {
    const of = room()
    const { people } = of
    const { principal, key } = join(of, 'Anna')
    const phone = people.logIn(principal.id)
    people.logOut(principal, loginOf(key))
    expect([people.withKey(key), people.withKey(phone)]).toEqual([null, principal])
    expect([people.holdsLogin(principal, loginOf(key)), people.holdsLogin(principal, loginOf(phone))]).toEqual([
      false,
      true,
    ])
    expect(people.participants()).toHaveLength(1)
    people.logOut(principal, loginOf(phone))
    expect(people.participants()).toEqual([])
    join(of, 'Ben')
    join(of, 'Cleo')
    expect(of.store.principals.find(principal.id)?.name).toBe('Anna')
  })

  it('keeps the seat of somebody who has a link to another device', async () => {
    const of = room()
    const { people, entrance, send, codeOf } = of
    const { principal, key } = join(of, 'Anna')
    const own = codeOf(entrance.linkFor(principal.id, 'participant').link)
    people.logOut(principal, loginOf(key))
    expect(people.participants().map(({ name }) => name)).toEqual(['Anna'])
    expect(await send(own)).toEqual({ kind: 'again', principal: principal.id })
  })

  it('leaves nothing for a viewer', () => {
    const of = room()
    const { principal, key } = of.people.join({ role: 'viewer', name: 'Viewer', invitation: null, until: null })
    of.people.logOut(principal, loginOf(key))
    expect(of.store.principals.find(principal.id)).toBeNull()
  })
})

describe('a machine', () => {
  const join = (of: Room, name: string, network = HERE) =>
    of.people.join({ role: 'participant', name, invitation: null, until: null, network })

  it('can take half of the seats until the instructor allows more, and others still come in', () => {
    const of = room(8)
    for (const name of ['Anna', 'Ben', 'Cleo', 'Dora']) join(of, name)
    expect(of.people.crowded()).toEqual([{ network: HERE, people: 4, most: 4 }])
    expect(() => join(of, 'Emil')).toThrowError(expect.objectContaining({ code: 'room_full' }))
    join(of, 'Emil', '2001:db8::/64')
    of.people.allowFrom(HERE)
    expect(of.people.crowded()).toEqual([])
    for (const name of ['Fred', 'Gina', 'Hugo']) join(of, name)
    expect(() => join(of, 'Ida')).toThrow('8 people')
  })

  it('is not a crowd with two people', () => {
    const of = room(8)
    for (const name of ['Anna', 'Ben']) join(of, name)
    expect(of.people.crowded()).toEqual([])
    join(of, 'Cleo')
    expect(of.people.crowded()).toEqual([{ network: HERE, people: 3, most: 4 }])
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
