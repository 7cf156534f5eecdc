/** Stored first, then reported: once, in order, to every listener. */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { runId, type LoggedEvent, type RunEvent } from '@expresslane/shared/run/events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRunLog, type RunLog } from '../../src/runs/log/run-log.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { testClock } from '../support/clock.ts'
import { dataDir } from '../support/deps.ts'
import { startedRun } from '../support/runs/runs.ts'

const RUN = runId.parse('r_00000001')
const progress = (done: number): RunEvent => ({ type: 'progress', subject: null, message: 'going', done, total: 100 })

function open(dir: string): { store: Store; log: RunLog; errors: unknown[] } {
  const store = openStore(dir)
  onTestFinished(() => store.close())
  const errors: unknown[] = []
  return { store, log: createRunLog(store, testClock(), (error) => errors.push(error)), errors }
}

function begun(): { dir: string; store: Store; log: RunLog; errors: unknown[]; reported: LoggedEvent[] } {
  const dir = dataDir()
  const opened = open(dir)
  const reported: LoggedEvent[] = []
  opened.log.subscribe((logged) => reported.push(logged))
  startedRun(opened.store, opened.log, RUN)
  return { dir, ...opened, reported }
}

describe('the run log', () => {
  it('commits an event before listeners receive it', () => {
    const { dir, log, reported } = begun()
    const elsewhere = new DatabaseSync(join(dir, 'expresslane.db'))
    onTestFinished(() => elsewhere.close())
    const seen: unknown[] = []
    log.subscribe(({ seq }) => seen.push(elsewhere.prepare('SELECT seq FROM events WHERE seq = ?').get(seq)))
    log.append(RUN, progress(1))
    expect(seen).toEqual([{ seq: 2 }])
    expect(reported.map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('commits events that belong together before listeners receive the first of them', () => {
    const { dir, log, reported } = begun()
    const elsewhere = new DatabaseSync(join(dir, 'expresslane.db'))
    onTestFinished(() => elsewhere.close())
    const stored: unknown[] = []
    log.subscribe(() => stored.push(elsewhere.prepare('SELECT max(seq) AS last FROM events').get()))
    log.append(RUN, progress(1), progress(2), progress(3))
    expect(stored).toEqual([{ last: 4 }, { last: 4 }, { last: 4 }])
    expect(reported.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    log.append(RUN)
    expect(reported).toHaveLength(4)
  })

  it('reports no events of a transaction that was rolled back', () => {
    const { store, log, reported } = begun()
    const work = () =>
      log.together((append) => {
        append(RUN, progress(1))
        throw new Error('no')
      })
    expect(work).toThrow('no')
    expect(reported).toHaveLength(1)
    expect(store.events.lastSeq()).toBe(1)
    log.append(RUN, progress(2))
    expect(reported.map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('reports one event to all listeners before the next, even if a listener appends', () => {
    const { log } = begun()
    const order: string[] = []
    log.subscribe(({ event }) => {
      if (event.type !== 'progress') return
      order.push(`a${event.done}`)
      if (event.done === 1) log.append(RUN, progress(2))
    })
    log.subscribe(({ event }) => void (event.type === 'progress' && order.push(`b${event.done}`)))
    log.append(RUN, progress(1))
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2'])
  })

  it('continues when a listener throws, and reports the error', () => {
    const { log, errors } = begun()
    const reported: number[] = []
    log.subscribe(() => {
      throw new Error('a listener')
    })
    log.subscribe(({ seq }) => reported.push(seq))
    log.append(RUN, progress(1))
    expect(reported).toEqual([2])
    expect(errors).toEqual([new Error('a listener')])
  })

  it('stops reporting to a listener that unsubscribes', () => {
    const { log } = begun()
    const reported: number[] = []
    const unsubscribe = log.subscribe(({ seq }) => reported.push(seq))
    log.append(RUN, progress(1))
    unsubscribe()
    log.append(RUN, progress(2))
    expect(reported).toEqual([2])
  })

  it('reports events of other processes in order, without duplicates', () => {
    const { dir, log, reported } = begun()
    const other = open(dir).log
    other.append(RUN, progress(1))
    log.append(RUN, progress(2))
    other.append(RUN, progress(3))
    log.catchUp()
    log.catchUp()
    expect(reported.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    expect(log.state(RUN)?.progress?.done).toBe(3)
    expect(log.seq()).toBe(4)
  })

  it('folds an unknown run from the store', () => {
    const { dir, log } = begun()
    log.append(RUN, progress(7))
    expect(open(dir).log.state(RUN)).toEqual(log.state(RUN))
    expect(log.state(runId.parse('r_00000009'))).toBeNull()
  })
})
