/** Long runs are read in parts: what is counted here is how much is read, and how often others get a turn. */
import { runId, type RunEvent } from '@expresslane/shared/run/events'
import { createFold } from '@expresslane/shared/run/fold'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  COUNTED_AT_ONCE,
  countLinesBefore,
  EVENTS_AT_ONCE,
  eventsOf,
  LONG_TAIL,
  readRun,
} from '../../src/runs/log/read-run.ts'
import { createRunLog } from '../../src/runs/log/run-log.ts'
import type { Events } from '../../src/store/events.ts'
import { openStore, type Store } from '../../src/store/open.ts'
import { testClock } from '../support/clock.ts'
import { dataDir } from '../support/deps.ts'
import { startedRun } from '../support/runs/runs.ts'
import { countTurns } from '../support/turns.ts'

const RUN = runId.parse('r_00000001')
const LINES = 2_500
const SAMPLES = 1_200

const line = (n: number): RunEvent => ({ type: 'command.output', commandId: 0, stream: 'stdout', text: `line ${n}` })
const ended = (exitCode: number): RunEvent => ({ type: 'command.ended', commandId: 0, exitCode, signal: null })

function long(): RunEvent[] {
  const repeat = { arm: 'off', caseId: null, warmup: false, family: 'ipv4', benchmark: null } as const
  const values = { tps: Number.MIN_VALUE }
  return [
    { type: 'command.started', commandId: 0, where: 'pod1', typed: 'netperf' },
    { type: 'repeat.started', ...repeat, repeat: 1, repeats: 1, seconds: 1 },
    ...Array.from({ length: LINES }, (_, n) => line(n)),
    ended(0),
    ...Array.from({ length: SAMPLES }, (_, n): RunEvent => {
      const sample = { atSeconds: n, seconds: null, omitted: false, values }
      return { type: 'sample.taken', repeat: 1, sample }
    }),
    ended(2),
    { type: 'run.ended', state: 'completed', problem: null },
  ]
}

function stored(): Store {
  const store = openStore(dataDir())
  onTestFinished(() => store.close())
  const log = createRunLog(store, testClock(), () => {})
  startedRun(store, log, RUN)
  log.together((append) => {
    for (const event of long()) append(RUN, event)
  })
  return store
}

/** The turns of the event loop that pass meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  const turns = countTurns()
  onTestFinished(() => turns.stop())
  await work()
  return turns.count()
}

describe('a long run', () => {
  it('is read in parts, between which others get a turn', async () => {
    const { events } = stored()
    const parts: number[] = []
    const turns = await turnsDuring(async () => {
      for await (const part of eventsOf(events, RUN)) parts.push(part.length)
    })
    expect(Math.max(...parts)).toBe(EVENTS_AT_ONCE)
    expect(parts.reduce((sum, one) => sum + one, 0)).toBe(long().length + 1)
    expect(turns).toBeGreaterThanOrEqual(parts.length - 1)
  })

  it('has its lines counted in parts', async () => {
    const { events } = stored()
    const limits: number[] = []
    const lines = 3 * COUNTED_AT_ONCE + 7
    const counted: Events = {
      ...events,
      countLines(_id, after, before, limit) {
        limits.push(limit)
        const count = Math.min(limit, Math.min(lines, before - 1) - after)
        return { count, last: after + count }
      },
    }
    const turns = await turnsDuring(async () => expect(await countLinesBefore(counted, RUN, lines)).toBe(lines - 1))
    expect(limits).toEqual(Array.from({ length: 4 }, () => COUNTED_AT_ONCE))
    expect(turns).toBeGreaterThanOrEqual(3)
    const second = events.countLines(RUN, 0, Number.MAX_SAFE_INTEGER, 2)
    expect(second.count).toBe(2)
    expect(events.countLines(RUN, second.last, Number.MAX_SAFE_INTEGER, LINES * 2).count).toBe(LINES + 2 - 2)
    expect(events.countLines(RUN, 0, second.last, LINES).count).toBe(1)
  })

  it('has the state of all its events, and the end of its output', async () => {
    const { events } = stored()
    const fold = createFold()
    for (const one of events.ofRun(RUN)) fold.add(one)
    const whole = fold.state()
    const run = await readRun(events, RUN, { lines: 3, bytes: 1_000 })
    expect(run).toEqual({ ...whole, log: whole?.log.slice(-3), logDropped: LINES + 2 - 3 })
    expect(run?.log.map(({ text }) => text)).toEqual([`line ${LINES - 2}`, `line ${LINES - 1}`, 'exit 2'])
    const first = events.ofRun(RUN, { after: 0, upTo: 10, limit: 99 })
    const early = createFold()
    for (const one of first) early.add(one)
    expect(await readRun(events, RUN, LONG_TAIL, 10)).toEqual(early.state())
  })

  it('reads no lines and no samples of it for its state within the server', () => {
    const store = stored()
    let read = 0
    const events = {
      ...store.events,
      ofRun: (...of: Parameters<Store['events']['ofRun']>) => {
        const found = store.events.ofRun(...of)
        read += found.length
        return found
      },
    }
    const state = createRunLog({ ...store, events }, testClock(), () => {}).state(RUN)
    expect(state?.state).toBe('completed')
    expect([state?.log, state?.repeats[0]?.samples]).toEqual([[], []])
    expect(read).toBe(3)
  })
})
