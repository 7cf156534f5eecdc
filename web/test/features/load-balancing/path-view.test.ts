import { movesBetween, tableOf } from '@expresslane/shared/features/load-balancing/balancers'
import { TABLE } from '@expresslane/shared/features/load-balancing/places'
import { BACKENDS, BALANCING, REPLIES } from '@expresslane/shared/features/load-balancing/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import { datapathState, type DatapathState } from '@expresslane/shared/testbed/reading'
import { expect, test } from 'vitest'
import { movedWords } from '../../../src/features/load-balancing/path/buckets.tsx'
import { chosenWords, wayOf } from '../../../src/features/load-balancing/path/path-view.tsx'

function stateOf(carried: Settings, counts: Readonly<Record<string, number>>, settings = carried): DatapathState {
  const hooks = [{ where: 'balancer', hook: TABLE, present: true, devices: [], counts }]
  return datapathState.parse({
    at: 0,
    settings,
    agents: null,
    kernel: [],
    carried,
    hooks,
    placement: { madeAt: 0, pods: [] },
  })
}

const shares = { backend1: 205, backend2: 204, backend3: 204, backend4: 204, backend5: 204, backend6: 0 }

test('each backend has its buckets of the table, and one that is not in it says so', () => {
  const { places, words } = wayOf(stateOf({ [BALANCING]: 'maglev' }, shares))
  expect(places.map(({ name }) => name).slice(0, 3)).toEqual(['client', 'balancer', 'backend1'])
  expect(places[1]?.stages[0]?.name).toBe('Maglev')
  expect(places.slice(2).map(({ is }) => is)).toEqual([
    '205 buckets',
    ...Array(4).fill('204 buckets'),
    'not in the table',
  ])
  expect(words[0]).toContain('through the balancer')
  const direct = wayOf(stateOf({ [BALANCING]: 'maglev', [BACKENDS]: 1, [REPLIES]: 'direct' }, { backend1: 1_021 }))
  expect(direct.words[0]).toContain('past the balancer')
})

test('random backends have no buckets, and a table that could not be read is unknown', () => {
  const random = wayOf(stateOf({ [BALANCING]: 'random' }, { backend1: 1 }))
  expect(random.places[2]?.is).toBe('in the table')
  const unknown = wayOf(stateOf({}, {}))
  expect(unknown.places[1]?.stages[0]?.handles).toBe(false)
  expect(unknown.words).toEqual(['The balancer’s table could not be read.'])
})

test('another choice for the next pods is said', () => {
  expect(chosenWords(stateOf({ [BALANCING]: 'maglev' }, shares))).toBeNull()
  const chosen = chosenWords(stateOf({ [BALANCING]: 'random' }, shares, { [BALANCING]: 'maglev' }))
  expect(chosen).toBe('Chosen for the next pods: Maglev')
})

test('the moved buckets in words', () => {
  expect(movedWords(['stays', 'needed', 'needless'])).toBe('1 of 3 buckets must move, and 1 more moves.')
  const own = movesBetween(tableOf('rendezvous', 5, 251), tableOf('rendezvous', 4, 251))
  expect(movedWords(own)).toMatch(/^\d+ of 251 buckets must move, and no other moves\.$/)
})
