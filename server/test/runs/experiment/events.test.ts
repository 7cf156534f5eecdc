/** How much an experiment writes: its estimates have only what changed, and the largest plan has room in a recording. */
import { createFold } from '@expresslane/shared/run/fold'
import type { RunEvent } from '@expresslane/shared/run/events'
import {
  experimentPlan,
  MOST_RUNS,
  runsOf,
  visitsOf,
  type ExperimentPlan,
} from '@expresslane/shared/measure/experiment'
import { RECORDING_BYTES } from '@expresslane/shared/recordings/recording'
import { describe, expect, it } from 'vitest'
import { beginSession, openRig, stateOf } from '../../support/deps.ts'
import { bigTcp } from '../../support/runs/settings.ts'

const MOST_BYTES = 20_000_000

function planOf(arms: number, cases: number, repeats: number, warmups: number): ExperimentPlan {
  const long = (name: string, n: number): string => `${name} ${n} `.padEnd(60, 'x')
  return experimentPlan.parse({
    arms: Array.from({ length: arms }, (_, n) => ({
      id: `arm-${n}`.padEnd(31, 'x'),
      label: long('Arm', n),
      settings: bigTcp({ ipv4: n % 2 === 1, ipv6: false }),
    })),
    cases: Array.from({ length: cases }, (_, n) => ({
      id: `case-${n}`.padEnd(31, 'x'),
      label: long('Case', n),
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 10_000 + n, responseBytes: 10_000 },
    })),
    design: { order: 'interleaved', repeats, seconds: 1, warmups, budget: null },
  })
}

async function eventsOf(plan: ExperimentPlan) {
  const { deps } = openRig()
  const { runId } = await deps.scheduler.start(await beginSession(deps, 'bench'), {
    stepId: 'run',
    params: { plan },
    solve: false,
  })
  await deps.scheduler.settled(runId)
  return { state: stateOf(deps, runId), events: deps.store.events.ofRun(runId) }
}

const bytesOf = (events: readonly { event: RunEvent }[]): number =>
  events.reduce((sum, { event }) => sum + JSON.stringify(event).length, 0)

function of<Type extends RunEvent['type']>(events: readonly { event: RunEvent }[], type: Type) {
  return events
    .map(({ event }) => event)
    .filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type)
}

/** The bytes of the values of single runs. */
function valuesIn(events: readonly { event: RunEvent }[]): number {
  const rows = of(events, 'cases.compared').flatMap(({ comparisons }) =>
    comparisons.flatMap((one) => one.comparison.rows),
  )
  return rows.reduce((sum, { offValues, onValues }) => sum + JSON.stringify([offValues, onValues]).length, 0)
}

describe('the events of an experiment', () => {
  it('have estimates of the arm that was measured, without the values that the measurements have', async () => {
    const { events, state } = await eventsOf(planOf(3, 2, 4, 0))
    const compared = of(events, 'cases.compared')
    const estimates = compared.filter(({ estimate }) => estimate === true)
    expect(compared.filter(({ estimate }) => estimate !== true)).toHaveLength(1)
    expect(estimates.length).toBeGreaterThan(2)
    for (const { comparisons } of estimates) {
      expect(new Set(comparisons.map(({ arm }) => arm)).size).toBe(1)
      expect(comparisons).toHaveLength(2)
      const rows = comparisons.flatMap(({ comparison }) => comparison.rows)
      expect(rows.flatMap(({ offValues, onValues }) => [...offValues, ...onValues])).toEqual([])
    }
    const fold = createFold()
    for (const one of events.slice(
      0,
      events.findLastIndex(({ event }) => event.type === 'cases.compared'),
    ))
      fold.add(one)
    const before = fold.state()?.comparisons ?? []
    const key = ({ caseId, arm, against }: (typeof before)[number]) => [caseId, arm, against]
    expect(before.map(key)).toEqual(state.comparisons.map(key))
    expect(before.every(({ comparison }) => comparison.rows[0]?.onValues.length === 4)).toBe(true)
  })

  it('have each fingerprint once, and the state has it everywhere', async () => {
    const { events, state } = await eventsOf(planOf(2, 2, 2, 1))
    const taken = of(events, 'measurement.taken')
    expect(taken).toHaveLength(12)
    const prints = taken.flatMap(({ measurement }) =>
      measurement.fingerprint === null ? [] : [measurement.fingerprint],
    )
    expect(prints).toHaveLength(2)
    const settings = state.repeats.map(({ measurement }) => measurement?.fingerprint?.settings['big-tcp-ipv4'])
    expect(settings).toEqual(state.repeats.map(({ arm }) => arm.startsWith('arm-1')))
  })

  it('have room in a recording, even for the largest plan', async () => {
    const small = planOf(8, 16, 4, 0)
    const largest = planOf(8, 16, 50, 5)
    expect(runsOf(largest)).toBeLessThanOrEqual(MOST_RUNS)
    const { events } = await eventsOf(small)
    const own = events.filter(({ event }) => !event.type.startsWith('command.') && event.type !== 'sample.taken')
    const estimates = own.filter(({ event }) => event.type === 'cases.compared' && event.estimate === true)
    const others = own.filter((one) => !estimates.includes(one))
    const last = others.filter(({ event }) => event.type === 'cases.compared')
    const each = bytesOf(others.filter((one) => !last.includes(one)))
    const widest = Math.max(...estimates.map((one) => bytesOf([one])))
    const bytes =
      each * (runsOf(largest) / runsOf(small)) +
      widest * visitsOf(largest, 'interleaved', 50).length +
      bytesOf(last) +
      valuesIn(last) * (50 / 4 - 1)
    expect(bytes).toBeLessThan(MOST_BYTES)
    expect(MOST_BYTES).toBeLessThan(RECORDING_BYTES)
  })
})
