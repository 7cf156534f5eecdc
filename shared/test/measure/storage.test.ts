import { expect, test } from 'vitest'
import { formatStorage } from '../../src/measure/storage.ts'

test.each([
  [0, '0 kB'],
  [4096, '4 kB'],
  [999_400, '999 kB'],
  [999_600, '1 MB'],
  [85_240_000, '85.2 MB'],
  [300_000_000, '300 MB'],
  [1_500_000_000, '1.5 GB'],
  [12e9, '12 GB'],
  [5e15, '5000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatStorage(bytes)).toBe(text)
})
