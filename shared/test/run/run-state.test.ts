import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '../../src/run/events.ts'
import { LOG_LINES_KEPT, reduceRun, runState, type RunState } from '../../src/run/run-state.ts'
import { logged, measured, started } from '../samples.ts'

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
      { type: 'measurement.taken', measurement: measured(10) },
      repeat(2),
      sample(2, 0.25),
    ])
    expect(state.repeats.map((one) => one.samples.length)).toEqual([2, 1])
    expect(state.repeats.map((one) => one.measurement)).toEqual([measured(10), null])
  })

  it('gives the same state however often events arrive again', () => {
    const events = logged([started(), repeat(1), sample(1, 1), line('a'), line('b'), sample(1, 2)])
    const once = events.reduce<RunState | null>(reduceRun, null)
    fc.assert(
      fc.property(fc.array(fc.nat({ max: events.length - 1 })), (replays) => {
        const delivered = [...events, ...replays.flatMap((from) => events.slice(from))]
        expect(delivered.reduce<RunState | null>(reduceRun, null)).toEqual(once)
      }),
    )
  })

  it('bounds the log and counts what left it', () => {
    const extra = 5
    const state = foldAll([started(), ...Array.from({ length: LOG_LINES_KEPT + extra }, (_, n) => line(`${n}`))])
    expect(state.log).toHaveLength(LOG_LINES_KEPT)
    expect(state.logDropped).toBe(extra)
    expect(state.log.at(-1)?.text).toBe(`${LOG_LINES_KEPT + extra - 1}`)
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
