import { sessionView } from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { withProgress, type SubjectLine } from '../../src/api/subjects.ts'
import { createStore } from '../../src/api/store.ts'
import { aSession, ended, logged, started } from '@expresslane/shared/test/builders'

const all = (...progress: [string | null, string][]): readonly SubjectLine[] =>
  progress.reduce<readonly SubjectLine[]>((lines, [subject, message]) => withProgress(lines, { subject, message }), [])

describe('progress of single nodes', () => {
  it('keeps the latest message of each, in the order of their first', () => {
    expect(all(['b', 'restarting'], ['a', 'restarting'], ['b', 'ready, says on'])).toEqual([
      { subject: 'b', message: 'ready, says on' },
      { subject: 'a', message: 'restarting' },
    ])
  })

  it('starts again after any message about the whole run', () => {
    expect(all(['a', 'ready'], [null, 'laptop: waiting for another Expresslane'])).toEqual([])
    expect(all(['a', 'ready'], [null, 'Reading the kernel'], ['c', 'restarting'])).toEqual([
      { subject: 'c', message: 'restarting' },
    ])
  })

  it('exists while the run is running, and for runs that the page shows', () => {
    const store = createStore({ now: () => 0, date: () => 0, schedule: () => () => {}, rewind: () => {} })
    const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'kubernetes', owner: 'owner', createdAt: 1 }
    store.openSession(sessionView.parse({ session, runs: [], incarnation: null, seq: 0 }))
    const progress = { type: 'progress', subject: 'a', message: 'ready', done: 1, total: 2 } as const
    const events = logged([started(), progress, ended])
    store.events(events.slice(0, 2))
    expect(store.snapshot().subjects.get('r_00000001')).toEqual([{ subject: 'a', message: 'ready' }])
    store.events(logged([progress], 20, 'r_00000009'))
    store.events(events.slice(2))
    expect(store.snapshot().subjects.size).toBe(0)
  })
})
