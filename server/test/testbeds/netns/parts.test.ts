import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { typedLine, typedWithInput } from '../../../src/testbeds/typed.ts'
import { createLock } from '../../../src/testbeds/lock.ts'
import { toolPath } from '../../../src/testbeds/netns/this-machine/index.ts'

describe('a command as a person would type it', () => {
  test('is plain where no quotes are needed', () => {
    expect(typedLine(['ip', '-n', 'pod1', 'link', 'show', 'dev', 'eth0'])).toBe('ip -n pod1 link show dev eth0')
  })

  test('is parsed by a real shell into the same arguments', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', ' ', "'", '"', '$', '\\', '*', '`', ';', '\n', '-', '~', '!', 'é'),
    })
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
        const line = typedLine(['printf', String.raw`%s\0`, ...words])
        const heard = execFileSync('sh', ['-c', line], { encoding: 'utf8' }).split('\0').slice(0, -1)
        expect(heard).toEqual(words)
      }),
      { numRuns: 50 },
    )
  })
})

describe('a command with its standard input', () => {
  test('is a here-document', () => {
    expect(typedWithInput('nft -f -', 'flush ruleset\n')).toBe("nft -f - <<'END'\nflush ruleset\nEND")
  })

  test('leaves out the end of a long one, and says how much', () => {
    const input = Array.from({ length: 5_020 }, (_, index) => `rule ${index}`).join('\n')
    const lines = typedWithInput('nft -f -', input).split('\n')
    expect(lines).toHaveLength(23)
    expect(lines.at(-2)).toBe('# ... and 5,000 lines more')
  })
})

describe('the lock', () => {
  const free = new AbortController().signal

  test('admits one caller at a time, in the order of the calls, even if others fail', async () => {
    const lock = createLock()
    const order: string[] = []
    const first = Promise.withResolvers<void>()
    const one = lock(free, async () => {
      order.push('one begins')
      await first.promise
      order.push('one ends')
      throw new Error('one failed')
    })
    const two = lock(free, () => Promise.resolve(order.push('two')))
    const three = lock(free, () => Promise.resolve(order.push('three')))
    first.resolve()
    await expect(one).rejects.toThrow('one failed')
    await Promise.all([two, three])
    expect(order).toEqual(['one begins', 'one ends', 'two', 'three'])
  })

  test('a caller that stops waiting admits nobody early', async () => {
    const lock = createLock()
    const first = Promise.withResolvers<void>()
    const order: string[] = []
    const one = lock(free, async () => {
      await first.promise
      order.push('one ends')
    })
    const abort = new AbortController()
    const two = lock(abort.signal, () => Promise.resolve(order.push('two')))
    const three = lock(free, () => Promise.resolve(order.push('three')))
    abort.abort(new Error('gave up'))
    await expect(two).rejects.toThrow('gave up')
    first.resolve()
    await Promise.all([one, three])
    expect(order).toEqual(['one ends', 'three'])
  })
})

test('PATH is extended by the folders where a distribution keeps ip, once', () => {
  expect(toolPath('/usr/bin:/bin')).toBe('/usr/bin:/bin:/usr/sbin:/sbin')
  expect(toolPath('/sbin:/usr/sbin')).toBe('/sbin:/usr/sbin')
  expect(toolPath(undefined)).toBe('/usr/sbin:/sbin')
})
