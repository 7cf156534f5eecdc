/** Names that people type when they join: everybody else in the room reads them. */
import { describe, expect, it } from 'vitest'
import { personName } from '../../src/wire/room.ts'

describe('a name', () => {
  it.each([
    'Anna',
    'José',
    'Jose\u0301',
    'Nguyễn Thế Vinh'.normalize('NFD'),
    'O’Neil, J. (2)',
    '李小龙',
    'สมศักดิ์ ที่รัก',
    'प्रिया',
    '42',
    'The instructor’s twin',
  ])('can be %j', (name) => {
    expect(personName.parse(` ${name} `)).toBe(name)
  })

  it.each([
    ['\u3164', 'digits'],
    ['\u115F\u1160', 'digits'],
    ['\uFFA0', 'digits'],
    ['An\u034Fna', 'digits'],
    ['Anna\uFE0F', 'digits'],
    ['Anna\u{E0100}', 'digits'],
    ['An\u17B4na', 'digits'],
    ['-.-', 'a letter or a digit'],
    ['\u0301', 'a letter or a digit'],
    [`A${'\u0300'.repeat(30)}`, 'marks'],
    ['A\u0323\u0331\u0332\u0333', 'marks'],
    ['\u0301Anna', 'marks'],
    ['Instructor', 'instructor'],
    ['iNSTRUCTOR.', 'instructor'],
    ['In structor', 'instructor'],
    ['Ｉｎｓｔｒｕｃｔｏｒ', 'instructor'],
  ])('can’t be %j', (name, reason) => {
    expect(personName.safeParse(name).error?.issues[0]?.message).toContain(reason)
  })
})
