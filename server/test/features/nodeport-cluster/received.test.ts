import { expect, test } from 'vitest'
import { entryPackets } from '../../../src/features/nodeport-cluster/received.ts'

test.each([
  ['SNAT: the replies come back', [100, 2_100], [500, 1_500], 2],
  ['DSR: the requests alone', [100, 1_100], [500, 1_500], 1],
  ['a node whose devices could not be read', [null, 2_100], [500, 1_500], null],
  ['a backend that received nothing', [100, 2_100], [500, 500], null],
  ['counters that began again', [2_100, 100], [500, 1_500], null],
] as const)('%s', (_, entry, backend, expected) => {
  expect(entryPackets(entry, backend)).toBe(expected)
})
