import { sessionView, type SessionView } from '@expresslane/shared/wire/protocol'
import type { RunState } from '@expresslane/shared/run/run-state'
import { testbedId, thisMachine } from '@expresslane/shared/testbed/id'
import { describe, expect, it } from 'vitest'
import { REDRAW_MS } from '../../src/api/redraw.ts'
import { createStore } from '../../src/api/store.ts'
import {
  aSession,
  clusterFacts,
  datapath,
  device,
  ended,
  logged,
  queued,
  repeatStarted,
  runOf,
  sample,
  started,
  testbed,
} from '@expresslane/shared/test/builders'

function setUp() {
  const rewinds: number[] = []
  const timers: (() => void)[] = []
  const waits: number[] = []
  const clock = { now: 0 }
  const store = createStore({
    now: () => clock.now,
    date: () => clock.now,
    schedule(callback, ms) {
      timers.push(callback)
      waits.push(ms)
      return () => timers.splice(timers.indexOf(callback), 1)
    },
    rewind: (seq) => rewinds.push(seq),
  })
  let redraws = 0
  store.subscribe(() => void (redraws += 1))
  return { store, rewinds, timers, waits, clock, redraws: () => redraws }
}

function view(runs: RunState[], seq: number): SessionView {
  const session = { id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 }
  return sessionView.parse({ session, runs, incarnation: 'one', seq })
}

const events = logged([started(), repeatStarted(), sample(0.25, 100), sample(0.5, 110), ended])

describe('createStore', () => {
  it('folds the runs of open sessions and no others', () => {
    const { store } = setUp()
    store.openSession(view([], 0))
    store.events([...events, ...logged([started({ sessionId: 's_00000002' })], 9, 'r_00000002')])
    expect([...store.snapshot().runs.keys()]).toEqual(['r_00000001'])
    expect(store.snapshot().runs.get('r_00000001')?.state).toBe('completed')
  })

  it('folds the second opinion on a run that it has, which is in another session', () => {
    const { store } = setUp()
    store.openSession(view([], 0))
    const elsewhere = { sessionId: 's_00000002', testbed: testbedId.parse('counted') }
    const opinion = started({ ...elsewhere, params: { opinionOf: 'r_00000001' } })
    store.events(logged([opinion, ended], 1, 'r_00000002'))
    expect(store.snapshot().runs.size).toBe(0)
    store.events([...logged([started(), ended], 3), ...logged([opinion, ended], 5, 'r_00000003')])
    expect([...store.snapshot().runs.keys()]).toEqual(['r_00000001', 'r_00000003'])
    expect(store.snapshot().runs.get('r_00000003')?.state).toBe('completed')
  })

  it('asks for what passed between the fetch and its arrival, and folds nothing twice', () => {
    const { store, rewinds } = setUp()
    store.events(events.slice(0, 4))
    expect(store.snapshot().runs.size).toBe(0)
    store.openSession(view([runOf(events.slice(0, 2))], 2))
    expect(rewinds).toEqual([2])
    store.events(events.slice(1))
    const run = store.snapshot().runs.get('r_00000001')
    expect(run).toEqual(runOf(events))
  })

  it('keeps the newer of a streamed and a fetched run', () => {
    const { store } = setUp()
    store.openSession(view([], 0))
    store.events(events)
    store.openSession(view([runOf(events.slice(0, 2))], 2))
    expect(store.snapshot().runs.get('r_00000001')?.state).toBe('completed')
  })

  it('redraws at once for a state and a few times per second for samples, and never starves', () => {
    const { store, clock, timers, redraws } = setUp()
    store.openSession(view([], 0))
    store.events(events.slice(0, 2))
    const before = redraws()
    for (const one of events.slice(2, 4)) {
      clock.now += 10
      store.events([one])
    }
    expect(redraws()).toBe(before)
    expect(timers).toHaveLength(1)
    clock.now += REDRAW_MS
    timers[0]?.()
    expect(redraws()).toBe(before + 1)
    expect(store.snapshot().runs.get('r_00000001')?.repeats[0]?.samples).toHaveLength(2)
  })

  it('draws a sample together with the output that it came with, however long the page was quiet', () => {
    const { store, clock, timers, waits } = setUp()
    store.openSession(view([], 0))
    store.events(events.slice(0, 2))
    clock.now += 10 * REDRAW_MS
    const output = { type: 'command.output', commandId: 1, stream: 'stdout', text: 'a line' } as const
    store.events(logged([output], 3))
    store.events(logged([sample(0.25, 100)], 4))
    expect(timers).toHaveLength(1)
    expect(waits[0]).toBeLessThan(REDRAW_MS / 10)
    timers[0]?.()
    expect(store.snapshot().runs.get('r_00000001')?.repeats[0]?.samples).toHaveLength(1)
  })

  it('counts a run that is queued as news once, however often its place changes', () => {
    const { store } = setUp()
    store.openSession(view([], 0))
    const { turns } = store.snapshot()
    store.events(logged([queued(2, 40), queued(1, null)]))
    expect(store.snapshot().turns).toBe(turns + 1)
    expect(store.snapshot().runs.get('r_00000001')).toMatchObject({ state: 'queued', queue: { place: 1 } })
    store.events(logged([started()], 3))
    expect(store.snapshot().turns).toBe(turns + 2)
  })

  it('knows which runs use testbeds from the stream alone', () => {
    const { store } = setUp()
    const holder = { runId: null, sessionId: null, stepId: 'baseline' }
    store.news({ type: 'holders', holders: [{ testbed: thisMachine, holder }] })
    store.openTestbed(testbed())
    store.events(events)
    expect(store.snapshot().holders.get(thisMachine)).toEqual(holder)
    store.news({ type: 'holders', holders: [] })
    expect(store.snapshot().holders.size).toBe(0)
  })

  it('takes the path of a fetched testbed only until the stream has sent one', () => {
    const { store } = setUp()
    const fetched = testbed({ facts: clusterFacts([], { incarnation: 'one' }), datapath: datapath([device()]) })
    store.openTestbed(fetched)
    expect(store.snapshot().paths.get(thisMachine)?.incarnation).toBe('one')
    const live = { type: 'live', testbed: thisMachine, datapath: null, problem: null } as const
    store.news({ ...live, incarnation: 'two' })
    store.openTestbed(fetched)
    store.connection('live')
    expect(store.snapshot().paths.get(thisMachine)?.incarnation).toBe('two')
    expect(store.snapshot().incarnations.get(thisMachine)).toBe('two')
  })

  it('forgets the runs when the log is another one', () => {
    const { store, rewinds } = setUp()
    store.openSession(view([runOf(events)], 5))
    store.rebooted(true)
    expect(store.snapshot().runs.size).toBe(0)
    store.openSession(view([], 0))
    expect(rewinds).toEqual([5, 0])
  })

  it('follows the path of each testbed', () => {
    const { store } = setUp()
    const live = { type: 'live', testbed: thisMachine, incarnation: 'one', problem: null } as const
    store.news({ ...live, datapath: datapath([device()]) })
    store.news({ ...live, datapath: datapath([device({ gsoIpv4MaxSize: 196_608 })], { at: 2 }) })
    store.connection('live')
    const path = store.snapshot().paths.get(thisMachine)
    expect(path?.before?.kernel[0]?.gsoIpv4MaxSize).toBe(65_536)
    expect(store.snapshot().incarnations.get(thisMachine)).toBe('one')
  })

  it('forgets the path of a testbed that is another cluster now', () => {
    const cluster = testbedId.parse('kubernetes:other')
    const { store } = setUp()
    const live = { type: 'live', testbed: cluster, incarnation: 'one', problem: null } as const
    store.news({ ...live, datapath: datapath([device()]) })
    const moved = { id: cluster, kind: 'kubernetes', context: 'other' }
    store.moveTestbed(testbed({ ...moved, facts: clusterFacts([], { incarnation: 'two' }) }))
    expect(store.snapshot().paths.get(cluster)).toMatchObject({ incarnation: 'two', datapath: null, before: null })
    const problem = { code: 'cluster_unreachable', message: 'm', remedy: 'r', remedyCommand: null, detail: null }
    store.moveTestbed(testbed({ ...moved, problem }))
    expect(store.snapshot().incarnations.has(cluster)).toBe(false)
    expect(store.snapshot().paths.get(cluster)).toMatchObject({ incarnation: null, problem })
  })
})
