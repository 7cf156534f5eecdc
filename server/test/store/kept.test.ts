import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { kept } from '../../src/store/kept.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'expresslane-kept-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('a result is made once for an input, and again for another', () => {
  const to = folder()
  let made = 0
  const ask = (input: string) => kept(input, () => ({ input, made: (made += 1), bytes: Buffer.from(input) }), to)
  expect(ask('a')).toMatchObject({ input: 'a', made: 1 })
  const again = ask('a')
  expect(again).toMatchObject({ input: 'a', made: 1 })
  expect(again.bytes.subarray(0, 1).toString()).toBe('a')
  expect(ask('b')).toMatchObject({ input: 'b', made: 2 })
})

test('a file that was cut off is made again', () => {
  const to = folder()
  kept('a', () => ({ text: 'whole' }), to)
  const [name = ''] = readdirSync(to)
  truncateSync(join(to, name), 5)
  expect(kept('a', () => ({ text: 'again' }), to)).toEqual({ text: 'again' })
})

test('where nothing can be written, each result is made', () => {
  expect(kept('a', () => 1, '/dev/null/nothing')).toBe(1)
  expect(kept('a', () => 2, '/dev/null/nothing')).toBe(2)
})

test('without a folder a result is kept in memory, and nobody can change it', () => {
  const ask = (input: string, made: number) => kept(input, () => ({ made, all: [made] }), null)
  ask('in memory', 1)
  ask('in memory', 2).all.push(3)
  expect(ask('in memory', 4)).toEqual({ made: 1, all: [1] })
  expect(ask('in memory, too', 2)).toEqual({ made: 2, all: [2] })
})
