import { SERVICES, translation, TRANSLATION, type Translation } from '@expresslane/shared/features/cluster-ip/settings'
import { datapathState, type DatapathState } from '@expresslane/shared/testbed/reading'
import { expect, test } from 'vitest'
import { chosenWords, wayOf } from '../../../src/features/cluster-ip/path/path-view.tsx'

/** A reading of pods with a translation; null if it could not be read. */
function stateOf(by: Translation | null, count = 1): DatapathState {
  const of = { [TRANSLATION]: by, [SERVICES]: count }
  return datapathState.parse({
    at: 0,
    settings: of,
    agents: null,
    kernel: [],
    carried: by === null ? {} : of,
    hooks: [],
    placement: { madeAt: 0, pods: [] },
  })
}

const stagesOf = (by: Translation | null, count?: number) =>
  wayOf(stateOf(by, count), 'ipv4').places.flatMap(({ stages }) => stages)

test.each<[Translation, string[], string[]]>([
  ['none', [], ['connect()', 'TC', 'netfilter']],
  ['socket', ['connect()'], ['connect()', 'TC', 'netfilter']],
  ['tc', ['TC'], ['connect()', 'TC']],
  ['nftables', ['nftables'], ['connect()', 'TC', 'nftables']],
  ['iptables', ['iptables'], ['connect()', 'TC', 'iptables']],
])('%s: one place translates, and packets pass the places before it', (by, handlers, reached) => {
  const stages = stagesOf(by)
  expect(stages.flatMap(({ name, handles }) => (handles === true ? [name] : []))).toEqual(handlers)
  expect(stages.flatMap((one) => (one.reached === true ? [one.name] : []))).toEqual(reached)
})

test('the place says how many services it has', () => {
  expect(stagesOf('iptables', 1_000).map(({ found }) => found)).toEqual([null, null, 'has 1,000 services'])
  expect(stagesOf('socket').map(({ found }) => found)).toEqual(['has 1 service', null, null])
})

test('a translation that could not be read is unknown, and each that was read has words of its own', () => {
  expect(stagesOf(null).map(({ reached, handles }) => [reached, handles])).toEqual([
    [null, null],
    [null, null],
    [null, null],
  ])
  const all = [...translation.options, null].map((by) => wayOf(stateOf(by), 'ipv6').words.join(' '))
  expect(new Set(all).size).toBe(all.length)
})

test('the choice for the next pods is named if the present pods have another', () => {
  const state = stateOf('iptables')
  expect(chosenWords(state)).toBeNull()
  const next = { ...state, settings: { [TRANSLATION]: 'socket', [SERVICES]: 1_000 } }
  expect(chosenWords(next)).toBe('Chosen for the next pods: Socket, 1,000 services')
  expect(chosenWords({ ...stateOf('none'), placement: null })).toBeNull()
})
