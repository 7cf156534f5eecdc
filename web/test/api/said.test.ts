import { sessionView } from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { heard, type Said } from '../../src/api/said.ts'
import { createStore } from '../../src/api/store.ts'
import { aSession, ended, logged, started } from '../samples.ts'

const all = (...messages: string[]): readonly Said[] => messages.reduce<readonly Said[]>(heard, [])

describe('what a run tells of single nodes', () => {
  it('keeps the latest word of each, in the order of their first', () => {
    expect(all('b: restarting', 'a: restarting', 'b: ready, says on')).toEqual([
      { name: 'b', words: 'ready, says on' },
      { name: 'a', words: 'restarting' },
    ])
  })

  it('begins anew with what is about none of them', () => {
    expect(all('a: ready', 'Waiting for another Expresslane: laptop.')).toEqual([])
    expect(all('a: ready', 'Reading the kernel', 'c: restarting').map(({ name }) => name)).toEqual(['c'])
  })

  it('is there while the run goes on, and for runs that the page shows', () => {
    const store = createStore({ now: () => 0, schedule: () => () => {}, rewind: () => {} })
    const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'kubernetes', owner: 'owner', createdAt: 1 }
    store.openSession(sessionView.parse({ session, runs: [], incarnation: null, seq: 0 }))
    const progress = { type: 'progress', message: 'a: ready', done: 1, total: 2 } as const
    const events = logged([started(), progress, ended])
    store.events(events.slice(0, 2))
    expect(store.snapshot().said.get('r_00000001')).toEqual([{ name: 'a', words: 'ready' }])
    store.events(logged([progress], 20, 'r_00000009'))
    store.events(events.slice(2))
    expect(store.snapshot().said.size).toBe(0)
  })
})
