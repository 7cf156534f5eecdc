import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../src/run/events.ts'
import { createFold } from '../../src/run/fold.ts'
import { reduceRun } from '../reduce-run.ts'
import { hasStarted, isOpen, LOG_LINES_KEPT, runState, type RunState } from '../../src/run/run-state.ts'
import { thisMachine } from '../../src/testbed/id.ts'
import { logged, measured, started } from '../builders.ts'

const repeat = (number: number): RunEvent => ({
  type: 'repeat.started',
  arm: 'off',
  caseId: null,
  warmup: false,
  family: 'ipv4',
  benchmark: null,
  repeat: number,
  repeats: 3,
  seconds: 1,
})
const sample = (number: number, atSeconds: number): RunEvent => ({
  type: 'sample.taken',
  repeat: number,
  sample: { atSeconds, seconds: null, omitted: false, values: { tps: atSeconds * 1000 } },
})
const line = (text: string): RunEvent => ({ type: 'command.output', commandId: 1, stream: 'stdout', text })

const head = {
  sessionId: 's_00000001',
  labId: 'big-tcp-ipv4',
  stepId: 'baseline',
  testbed: thisMachine,
  incarnation: 'one',
  params: {},
  solveTo: 'baseline',
} as const

function foldAll(events: RunEvent[]): RunState {
  const state = logged(events).reduce<RunState | null>(reduceRun, null)
  if (state === null) throw new Error('no events')
  return state
}

describe('reduceRun', () => {
  it('keeps each repeat with its own samples and result', () => {
    const state = foldAll([
      started(),
      repeat(1),
      sample(1, 0.25),
      sample(1, 0.5),
      { type: 'measurement.taken', measurement: measured({ values: { tps: 10 } }) },
      repeat(2),
      sample(2, 0.25),
    ])
    expect(state.repeats.map((one) => one.samples.length)).toEqual([2, 1])
    expect(state.repeats.map((one) => one.measurement)).toEqual([measured({ values: { tps: 10 } }), null])
  })

  it('has the same state even if events arrive again', () => {
    const events = logged([started(), repeat(1), sample(1, 1), line('a'), line('b'), sample(1, 2)])
    const once = events.reduce<RunState | null>(reduceRun, null)
    fc.assert(
      fc.property(fc.array(fc.nat({ max: events.length - 1 })), (replays) => {
        const delivered = [...events, ...replays.flatMap((from) => events.slice(from))]
        expect(delivered.reduce<RunState | null>(reduceRun, null)).toEqual(once)
      }),
    )
  })

  it('waits where it is queued, and starts as what it is by then', () => {
    const waits = (place: number): RunEvent => ({
      ...head,
      type: 'run.queued',
      place,
      expectedSeconds: 10 * place,
      paused: false,
    })
    const queued = foldAll([waits(2), waits(1)])
    expect(queued).toMatchObject({ state: 'queued', queue: { place: 1, expectedSeconds: 10, at: 2 }, startedAt: 1 })
    expect([isOpen(queued), hasStarted(queued)]).toEqual([true, false])
    const running = foldAll([
      waits(2),
      waits(1),
      { ...head, type: 'run.started', stepId: 'deploy', incarnation: 'two' },
    ])
    expect(running).toMatchObject({ state: 'running', queue: null, startedAt: 3, stepId: 'deploy', incarnation: 'two' })
    expect([isOpen(running), hasStarted(running)]).toEqual([true, true])
    const cancelled = foldAll([waits(1), { type: 'run.ended', state: 'cancelled', problem: null }])
    expect(cancelled).toMatchObject({ state: 'cancelled', endedAt: 2 })
    expect([isOpen(cancelled), hasStarted(cancelled)]).toEqual([false, false])
    expect(runState.parse(cancelled)).toEqual(cancelled)
  })

  it('bounds the log and counts what left it', () => {
    const extra = 5
    const state = foldAll([started(), ...Array.from({ length: LOG_LINES_KEPT + extra }, (_, n) => line(`${n}`))])
    expect(state.log).toHaveLength(LOG_LINES_KEPT)
    expect(state.logDropped).toBe(extra)
    expect(state.log.at(-1)?.text).toBe(`${LOG_LINES_KEPT + extra - 1}`)
  })

  it('copies a list once for all events between two states', () => {
    const lines = 3 * LOG_LINES_KEPT
    const events = logged([
      started(),
      repeat(1),
      ...Array.from({ length: lines }, (_, n) => [line(`${n}`), sample(1, n)]).flat(),
    ])
    const fold = createFold()
    for (const one of events) fold.add(one)
    const state = fold.state()
    expect(fold.state()).toBe(state)
    expect(state?.repeats[0]?.samples).toHaveLength(lines)
    expect(state?.logDropped).toBe(lines - LOG_LINES_KEPT)
  })

  it('never changes a state that it gave away, nor the one that it continues', () => {
    const events = logged([
      started(),
      repeat(1),
      sample(1, 1),
      line('a'),
      repeat(2),
      line('b'),
      sample(1, 2),
      line('c'),
    ])
    const after = events.map((_, place) => events.slice(0, place + 1).reduce<RunState | null>(reduceRun, null))
    const fold = createFold()
    const given = events.map((one) => {
      fold.add(one)
      return fold.state()
    })
    expect(given).toEqual(after)
    const from = after[3] ?? null
    const before = structuredClone(from)
    const continued = createFold(from)
    for (const one of events) continued.add(one)
    expect(continued.state()).toEqual(after.at(-1))
    expect(from).toEqual(before)
  })

  it('leaves out what grows with the length of a run, where it is asked to', () => {
    const events = logged([
      started(),
      repeat(1),
      sample(1, 1),
      line('a'),
      { type: 'measurement.taken', measurement: measured() },
    ])
    const fold = createFold(null, { details: false })
    for (const one of events) fold.add(one)
    const whole = events.reduce<RunState | null>(reduceRun, null)
    expect(fold.state()).toEqual({ ...whole, log: [], repeats: whole?.repeats.map((one) => ({ ...one, samples: [] })) })
  })

  it('makes a state that the wire schema accepts', () => {
    const state = foldAll([started(), repeat(1), { type: 'run.ended', state: 'cancelled', problem: null }])
    expect(runState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state)
    expect(state.endedAt).toBe(3)
  })

  it('refuses a run that does not begin with its start', () => {
    expect(() => foldAll([line('early')])).toThrow(/run.started/)
  })
})
