import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { hashOf, seenOf } from '../setup/stamp.mjs'

let folder = ''
let file = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'expresslane-stamp-'))
  file = join(folder, 'input.ts')
  writeFileSync(file, 'one')
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

test('other contents of the same size at the same time are seen', () => {
  const before = { seen: seenOf([folder]), hash: hashOf([folder]) }
  const { atime, mtime } = statSync(file)
  writeFileSync(file, 'two')
  utimesSync(file, atime, mtime)
  expect(seenOf([folder])).not.toBe(before.seen)
  expect(hashOf([folder])).not.toBe(before.hash)
})

test('a file written again with its contents is seen, and has the same hash', () => {
  const before = { seen: seenOf([folder]), hash: hashOf([folder]) }
  rmSync(file)
  writeFileSync(file, 'one')
  expect(seenOf([folder])).not.toBe(before.seen)
  expect(hashOf([folder])).toBe(before.hash)
})

test('a file more is seen', () => {
  const before = seenOf([folder])
  expect(seenOf([folder])).toBe(before)
  writeFileSync(join(folder, 'more.ts'), '')
  expect(seenOf([folder])).not.toBe(before)
})
