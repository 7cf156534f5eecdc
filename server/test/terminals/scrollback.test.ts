/** A page that comes back goes on where it was, if its last byte is kept. */
import { expect, test } from 'vitest'
import { createScrollback } from '../../src/terminals/scrollback.ts'

function textFrom(kept: ReturnType<typeof createScrollback>, byte: number): string {
  const found = kept.from(byte)
  return `${found.byte}:${found.bytes.toString()}`
}

test('goes on after the last byte of a page', () => {
  const kept = createScrollback(100)
  for (const text of ['first ', 'second ', 'third']) kept.add(Buffer.from(text))
  expect([0, 6, 13, 18].map((byte) => textFrom(kept, byte))).toEqual([
    '0:first second third',
    '6:second third',
    '13:third',
    '18:',
  ])
})

test('keeps the last output alone, and sends all of it to a page that is too late, or of another terminal', () => {
  const kept = createScrollback(10)
  for (let at = 0; at < 1000; at += 1) kept.add(Buffer.from(`${at % 10}`))
  expect(kept.end()).toBe(1000)
  const { byte, bytes } = kept.from(3)
  expect(bytes.length).toBeGreaterThanOrEqual(10)
  expect(bytes.length).toBeLessThan(20)
  expect(byte + bytes.length).toBe(1000)
  expect(bytes.toString().endsWith('0123456789')).toBe(true)
  expect(kept.from(5000)).toEqual({ byte, bytes })
})

test('does not change with the memory that it was added from', () => {
  const kept = createScrollback(10)
  const shared = Buffer.from('abc')
  kept.add(shared)
  shared.fill('x')
  expect(textFrom(kept, 0)).toBe('0:abc')
})
