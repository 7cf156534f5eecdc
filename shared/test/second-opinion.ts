/** Experiments on this machine that ask for a second opinion, and what the counted machine measures of them. */
import { compareCases } from '../src/compare/cases.ts'
import { storedValues } from '../src/features/printed.ts'
import { experimentPlan, type ExperimentPlan } from '../src/measure/experiment.ts'
import type { Measurement } from '../src/measure/measurement.ts'
import type { RunEvent } from '../src/run/events.ts'
import { environment, measured, repeatStarted, started } from './builders.ts'
import { testbedId } from '../src/testbed/id.ts'

export const COUNTED = testbedId.parse('counted')
const CLOCK = 125
const LARGE = 80_000

/** Transactions a second by arm; on the counted machine for 10⁹ instructions. The first arm is the baseline. */
export type Rates = Readonly<Record<string, number>>

export const faster: Rates = { off: 10_000, on: 12_000 }
export const fewer: Rates = { off: 200, on: 224 }

type Over = NonNullable<Parameters<typeof started>[0]>

/** The parts of an experiment that tests vary. */
interface Parts {
  /** Overrides of the `run.started` event. */
  readonly over?: Over
  /** The sizes of the requests: a case for each size. */
  readonly sizes?: readonly number[]
  /** Replaces the plan with a limit for each arm. */
  readonly plan?: ExperimentPlan
}

/** Each arm has a larger limit than the one before; the first has BIG TCP off. */
function planOf(arms: readonly string[], sizes: readonly number[]): ExperimentPlan {
  const limit = (place: number) => (arms.length > 2 ? { 'size-limit': 65_536 * (place + 1) } : {})
  return experimentPlan.parse({
    arms: arms.map((id, place) => ({
      id,
      label: id,
      settings: place === 0 ? { 'big-tcp-ipv4': false } : { 'big-tcp-ipv4': true, ...limit(place) },
    })),
    cases: sizes.map((bytes) => ({
      id: `rr-${bytes}`,
      label: `${bytes / 1000} kB`,
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: bytes, responseBytes: bytes },
    })),
    design: { order: 'interleaved', repeats: 5, seconds: 1, warmups: 0, budget: null },
  })
}

/** Five repeats of each arm in each case, around these rates. */
function takenOf({ arms, cases }: ExperimentPlan, rates: Rates, counted: boolean): Measurement[] {
  const spread = counted ? 0.0005 : 0.01
  const fingerprint = counted ? environment({ instructionsPerMicrosecond: CLOCK }) : environment()
  const visits = cases.flatMap((of) => arms.map(({ id }) => ({ of, arm: id, rate: rates[id] ?? 0 })))
  return visits.flatMap(({ of: { id: caseId, benchmark, family }, arm, rate }, place) =>
    [0, 1, -1, 2, -2].map((step, index) => {
      const tps = rate * (1 + step * spread)
      const of = { arm, caseId, benchmark, family, repeat: place * 5 + index + 1, fingerprint }
      return { ...measured(of), values: counted ? storedValues({ tps }, CLOCK) : { tps } }
    }),
  )
}

/** The events of an experiment that measures these rates in each case, without its end. */
function experiment(plan: ExperimentPlan, rates: Rates, counted: boolean, over: Over): RunEvent[] {
  const taken = takenOf(plan, rates, counted)
  return [
    started({ labId: 'bench', stepId: 'run', ...over }),
    { type: 'experiment.planned', plan },
    ...taken.flatMap((measurement): RunEvent[] => [
      repeatStarted(measurement.repeat, {
        arm: measurement.arm,
        caseId: measurement.caseId,
        family: measurement.family,
        benchmark: measurement.benchmark,
      }),
      { type: 'measurement.taken', measurement },
    ]),
    { type: 'cases.compared', comparisons: compareCases(plan, 'interleaved', taken, 'all') },
  ]
}

/** An experiment on this machine that asks for a second opinion, without its end. */
export function asking(rates: Rates, { over = {}, sizes = [LARGE], plan }: Parts = {}): RunEvent[] {
  return experiment(plan ?? planOf(Object.keys(rates), sizes), rates, false, { params: { opinion: true }, ...over })
}

/** The second opinion on a run, without its end. */
export function opinionOn(run: string, rates: Rates, { over = {}, sizes = [LARGE], plan }: Parts = {}): RunEvent[] {
  const linked = { testbed: COUNTED, params: { opinionOf: run } }
  return experiment(plan ?? planOf(Object.keys(rates), sizes), rates, true, { ...linked, ...over })
}

/** The end of a second opinion that had no kernel to boot. */
export const notPrepared: RunEvent = {
  type: 'run.ended',
  state: 'failed',
  problem: {
    code: 'testbed_unavailable',
    message: 'No kernel is prepared.',
    remedy: 'Get one.',
    remedyCommand: 'npm run kernel -- newest',
    detail: null,
  },
}
