import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTestbedId, kindOf, parseTestbedId, testbedId, thisMachine } from '../../src/testbed/id.ts'
import { testbedKind } from '../../src/testbed/testbed.ts'

const owner = fc.stringMatching(/^[a-z0-9][a-z0-9_-]{0,39}$/)
const context = fc.string({ minLength: 1, maxLength: 253, unit: 'binary' }).filter((text) => text.length <= 253)
const name = fc.record({
  kind: fc.constantFrom(...testbedKind.options),
  context: fc.option(context),
  owner: fc.option(owner),
})

describe('a testbed’s id', () => {
  it('says kind, context and owner, and gives them back', () => {
    fc.assert(
      fc.property(name, (of) => {
        expect(parseTestbedId(formatTestbedId(of))).toEqual(of)
      }),
    )
  })

  it('differs where a part differs', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const alike = one.kind === other.kind && one.context === other.context && one.owner === other.owner
        expect(formatTestbedId(one) === formatTestbedId(other)).toBe(alike)
      }),
    )
  })

  it('stands in a URL’s path as it is', () => {
    fc.assert(
      fc.property(name, (of) => {
        const id = formatTestbedId(of)
        expect(new URL(`http://localhost/api/testbeds/${id}`).pathname).toBe(`/api/testbeds/${id}`)
        expect(id).toMatch(/^[A-Za-z0-9._~:@-]+$/)
      }),
    )
  })

  it('is unique: every valid id is written the same', () => {
    const text = fc.stringMatching(
      /^(netns|kubernetes|recording)(:([A-Za-z0-9._-]|~[0-9a-f]{2}){1,12})?(@[a-z0-9]{1,5})?$/,
    )
    fc.assert(
      fc.property(text, (id) => {
        const read = testbedId.safeParse(id)
        if (read.success) expect(formatTestbedId(parseTestbedId(read.data))).toBe(id)
      }),
    )
  })

  it.each([
    [{ kind: 'netns', context: null, owner: null }, 'netns'],
    [{ kind: 'netns', context: null, owner: 'alice' }, 'netns@alice'],
    [{ kind: 'kubernetes', context: 'kind-kind', owner: null }, 'kubernetes:kind-kind'],
    [{ kind: 'kubernetes', context: 'admin@prod/eu', owner: null }, 'kubernetes:admin~40prod~2feu'],
    [{ kind: 'recording', context: 'big-tcp-ipv4', owner: 'bob' }, 'recording:big-tcp-ipv4@bob'],
  ] as const)('of %o is %s', (of, id) => {
    expect(formatTestbedId(of)).toBe(id)
    expect(kindOf(testbedId.parse(id))).toBe(of.kind)
  })

  it.each([
    '',
    'bare-metal',
    'netns:',
    'netns@',
    'netns@Alice',
    'netns@a@b',
    'kubernetes:a/b',
    'kubernetes:a b',
    'kubernetes:~61',
    'kubernetes:~ff',
    'kubernetes:~4A',
    'kubernetes:%40',
    `kubernetes:${'a'.repeat(254)}`,
    `netns@${'a'.repeat(41)}`,
    ' netns',
    'netns\n',
  ])('is not %j', (text) => {
    expect(testbedId.safeParse(text).success).toBe(false)
  })

  it('refuses to be made of parts that are out of bounds', () => {
    const of = { kind: 'kubernetes', context: null, owner: null } as const
    expect(() => formatTestbedId({ ...of, context: '' })).toThrow()
    expect(() => formatTestbedId({ ...of, context: 'a'.repeat(254) })).toThrow()
    expect(() => formatTestbedId({ ...of, owner: 'Not an id' })).toThrow()
    expect(thisMachine).toBe('netns')
  })
})
