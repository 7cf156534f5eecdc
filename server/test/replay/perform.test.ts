/** A replay: what was recorded happens again, at its own pace or faster, and nothing else does. */
import { LabError } from '@expresslane/shared/base/errors'
import { testbedId } from '@expresslane/shared/testbed/id'
import { type DatapathState, datapathState } from '@expresslane/shared/testbed/reading'
import { describe, expect, it } from 'vitest'
import { note } from '../contract/contract-kit.ts'
import { createReplayFactory } from '../../src/replay/factory.ts'
import { createReplay } from '../../src/replay/perform.ts'
import { testClock } from '../support/clock.ts'
import { aRecording, aRun, fileOf, progress } from '../support/runs/recordings.ts'
import { notedTask, type NotedTask } from '../support/runs/perform.ts'
import { bigTcp } from '../support/runs/settings.ts'

const [one, two, three] = [progress('one'), progress('two'), progress('three')]

function path(ipv4: boolean): DatapathState {
  return datapathState.parse({
    at: 1,
    settings: bigTcp({ ipv4, ipv6: false }),
    agents: null,
    kernel: [],
    placement: null,
  })
}

/** @param stepId null for a reset */
function taskOf(stepId: string | null, speed = 1, signal?: AbortSignal): NotedTask {
  const task = notedTask(signal)
  const [step = null] = task.lab.steps
  return { ...task, params: { speed }, step: stepId === null || step === null ? null : { ...step, id: stepId } }
}

function played(runs: object[], stepId: string | null, speed = 1) {
  const clock = testClock()
  const controller = new AbortController()
  const context = taskOf(stepId, speed, controller.signal)
  const replay = createReplay('abc', fileOf(aRecording(runs, { lab: context.lab.id })), clock)
  return { clock, controller, replay, context, outcome: replay.perform(context) }
}

/** Everything that waits for nothing but time has had its turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

async function rejection(of: Promise<unknown>): Promise<unknown> {
  return of.then(
    () => Promise.reject(new Error('it did not reject')),
    (error: unknown) => error,
  )
}

describe('a replay', () => {
  const run = aRun('baseline', [
    [100, one],
    [100, two],
    [500, three],
    [900, progress('four')],
  ])

  it.each([
    { speed: 1, times: [100, 500, 900] },
    { speed: 4, times: [25, 125, 225] },
    { speed: 20, times: [5, 25, 45] },
  ])('keeps the recorded timing, $speed times as fast', async ({ speed, times }) => {
    const { clock, context, outcome } = played([run], 'baseline', speed)
    const seen: number[] = []
    let now = 0
    for (const at of times) {
      clock.advance(at - now - 1)
      await turn()
      seen.push(context.events.length)
      clock.advance(1)
      await turn()
      seen.push(context.events.length)
      now = at
    }
    await outcome
    expect(seen).toEqual([0, 2, 2, 3, 3, 4])
    expect(context.events).toEqual([one, two, three, progress('four')])
  })

  it('takes the last run of the step', async () => {
    const { context, outcome } = played([aRun('a', [[0, one]]), aRun('a', [[0, two]]), aRun('b', [[0, three]])], 'a')
    await outcome
    expect(context.events).toEqual([two])
  })

  it('stops at once when it is cancelled', async () => {
    const { clock, controller, context, outcome } = played([run], 'baseline')
    clock.advance(100)
    await turn()
    const stopped = rejection(outcome)
    controller.abort(new Error('enough'))
    expect(await stopped).toBe(controller.signal.reason)
    clock.advance(10_000)
    await turn()
    expect(context.events).toEqual([one, two])
  })

  it('ends as the run ended: with its problem, or cancelled', async () => {
    const problem = new LabError('tool_failed', 'netperf failed.', 'Again.', { detail: 'boom', remedyCommand: 'x' })
    const failed = played([aRun('a', [[0, one]], { state: 'failed', problem: problem.toProblem() })], 'a')
    const error = await rejection(failed.outcome)
    expect(error instanceof LabError && error.toProblem()).toEqual(problem.toProblem())
    expect(failed.context.events).toEqual([one])
    const cancelled = played([aRun('a', [[0, one]], { state: 'cancelled' })], 'a')
    expect(await cancelled.outcome).toBe('cancelled')
    expect(await played([aRun('a', [[0, one]])], 'a').outcome).toBe('completed')
  })

  it('refuses a step that was not recorded, and lists the recorded ones', async () => {
    const { outcome } = played([aRun('baseline', [])], 'compare')
    expect(await rejection(outcome)).toMatchObject({ code: 'step_not_ready', detail: 'recorded: baseline' })
  })

  it('restarts without anything to restore', async () => {
    const { context, outcome } = played([aRun('reset', [[60_000, one]])], null)
    await outcome
    expect(context.events).toMatchObject([{ type: 'step.checked', outcome: { passed: true } }])
  })
})

describe('readings of a replay', () => {
  it('has the facts of the recorded testbed, with the kind recording', async () => {
    const { replay } = played([aRun('a', [])], 'a')
    const facts = await replay.facts(note())
    expect(facts).toMatchObject({ kind: 'recording', name: 'this machine', kernel: '6.18.0' })
    expect(facts.incarnation).toBe(await replay.incarnation(note()))
    expect([...(replay.labs ?? [])]).toEqual([taskOf('a').lab.id])
  })

  it('shows the path after everything that was played so far', async () => {
    const runs = [
      aRun('read', [[0, { type: 'datapath.read', datapath: path(false) }]]),
      aRun('enable', [[0, { type: 'datapath.read', datapath: path(true) }]]),
    ]
    const { replay, outcome } = played(runs, 'read')
    await outcome
    expect(await replay.read(note())).toEqual(path(false))
    await replay.perform(taskOf('enable'))
    expect(await replay.read(note())).toEqual(path(true))
    await replay.perform(taskOf(null))
    expect(await replay.read(note())).toEqual(path(false))
  })

  it('repeats the checks of its last preflight, which block nothing here', async () => {
    const failed = { id: 'netperf', title: 'netperf', status: 'failed', seen: 'none', remedy: null } as const
    const check = { ...failed, problem: null, remedyCommand: null, blocks: ['big-tcp-ipv4' as const] }
    const { replay } = played([aRun('preflight', [[0, { type: 'preflight.checked', check }]]), aRun('b', [])], 'b')
    expect(await allOf(replay.preflight(note()))).toEqual([{ ...check, blocks: [] }])
  })

  it('refuses a step of another lab', async () => {
    const { replay, outcome } = played([aRun('a', [])], 'a')
    await outcome
    const task = taskOf('a')
    const other = replay.perform({ ...task, lab: { ...task.lab, id: 'another' } })
    expect(await rejection(other)).toMatchObject({ code: 'step_not_ready' })
  })

  it('is created once a recording is chosen', async () => {
    const factory = createReplayFactory(
      { list: () => [], open: async () => fileOf(aRecording([aRun('a', [])])) },
      testClock(),
    )
    await expect(Promise.resolve(factory.make(null, testbedId.parse('recording')))).rejects.toThrow(
      /No recording is chosen/,
    )
    const { labs } = await factory.make('abc', testbedId.parse('recording:abc'))
    expect([...(labs ?? [])]).toEqual(['big-tcp-ipv4'])
  })
})
