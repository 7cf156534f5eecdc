import { expect, test } from 'vitest'
import { parseEndpointStates } from '../../src/tools/cilium-endpoints.ts'

// Output of Cilium 1.15.19, right after its start and half a minute later.
test.each([
  ['waiting-to-regenerate regenerating regenerating', { loading: 3, all: 3 }],
  ['ready regenerating\n', { loading: 1, all: 2 }],
  ['ready ready ready', { loading: 0, all: 3 }],
  // Endpoints that are new or ending have no earlier programs.
  ['ready disconnecting waiting-for-identity', { loading: 0, all: 3 }],
  ['', { loading: 0, all: 0 }],
])('endpoints that are %s', (printed, expected) => {
  expect(parseEndpointStates(printed)).toEqual(expected)
})
