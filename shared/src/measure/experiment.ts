/** An experiment: its arms and cases, how often each is measured, and in which order. Pure. */
import { z } from 'zod'
import { benchmark } from './benchmark.ts'
import { armId } from './measurement.ts'
import { settings } from '../base/settings.ts'
import { family } from '../base/units.ts'

/** One side of a comparison: the datapath's settings during its measurements. */
export const armPlan = z.strictObject({
  id: armId,
  label: z.string().min(1).max(60),
  /** Missing settings are off. Settings of a family only matter if the family is measured. */
  settings,
})
export type ArmPlan = z.infer<typeof armPlan>

/** The benchmarks that are run under each arm. */
export const caseId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/)
export const testCase = z.strictObject({
  id: caseId,
  label: z.string().min(1).max(60),
  family,
  benchmark,
  /** Settings of every arm in this case, such as how many services a node knows. The arms' own settings come first. */
  settings: settings.optional(),
})
export type TestCase = z.infer<typeof testCase>

/** An arm as it is measured in a case. */
export function armInCase(arm: ArmPlan, { settings: own }: Pick<TestCase, 'settings'>): ArmPlan {
  return own === undefined ? arm : { ...arm, settings: { ...own, ...arm.settings } }
}

/** An arm that a plan does without, because the testbed can't do it. */
export const leftOutArm = z.strictObject({ id: armId, label: armPlan.shape.label, reason: z.string() })
export type LeftOutArm = z.infer<typeof leftOutArm>

export const order = z.enum(['sequential', 'interleaved'])
export type Order = z.infer<typeof order>

/** Seconds of one run. Half seconds need a tool that can measure them ({@link BenchmarkKind.wholeSeconds}). */
export const runSeconds = z.number().min(0.5).max(120).multipleOf(0.5)

export const design = z.strictObject({
  /** {@link orderOf} resolves `auto`. */
  order: z.enum(['auto', ...order.options]),
  /** Measured runs of each case under each arm; with a budget, the minimum before the width decides. */
  repeats: z.number().int().min(1).max(50),
  /** Seconds per run. */
  seconds: runSeconds,
  /** Excluded runs of each case at the first visit to an arm. */
  warmups: z.number().int().min(0).max(5),
  /** Continue until each interval is narrower than `widthPercent` of its ratio, or for `seconds`; null to stop at `repeats`. */
  budget: z
    .strictObject({ widthPercent: z.number().min(0.5).max(100), seconds: z.number().int().min(5).max(7_200) })
    .nullable(),
})
export type Design = z.infer<typeof design>

/** Does each item have a different id? */
export function distinct(of: readonly { id: string }[]): boolean {
  return new Set(of.map(({ id }) => id)).size === of.length
}

export const experimentPlan = z.strictObject({
  /** The other arms are compared with the first one. */
  arms: z.array(armPlan).min(1).max(8).refine(distinct, 'two arms have the same id'),
  cases: z.array(testCase).min(1).max(16).refine(distinct, 'two cases have the same id'),
  design,
})
export type ExperimentPlan = z.infer<typeof experimentPlan>

/**
 * The order of a design. `auto` is interleaved where switching is cheap, and with a budget: only an interleaved experiment
 * can continue after every arm is measured.
 */
export function orderOf({ order: asked, budget }: Pick<Design, 'order' | 'budget'>, quickSwitch: boolean): Order {
  if (asked !== 'auto') return asked
  return quickSwitch || budget !== null ? 'interleaved' : 'sequential'
}

/** One visit to an arm: the datapath is set once, then each round measures every case once. */
export interface Visit {
  readonly arm: ArmPlan
  /** Excluded runs of each case. */
  readonly warmups: number
  /** Measured runs of each case. */
  readonly rounds: number
}

/**
 * The visits of a design, in order. Interleaved: blocks of all arms forwards and backwards (ABBA for two), so that a
 * linear drift affects every arm equally. An arm that ends a block also starts the next one, without a switch. An odd
 * number of repeats ends with half a block.
 *
 * @param repeats rounds in all for each arm
 * @param from the number of earlier rounds, to continue a schedule
 */
export function visitsOf(plan: ExperimentPlan, inOrder: Order, repeats: number, from = 0): Visit[] {
  const { arms } = plan
  const warm = from === 0 ? plan.design.warmups : 0
  if (inOrder === 'sequential') {
    return arms.map((arm) => ({ arm, warmups: warm, rounds: repeats - from }))
  }
  const visits: { arm: ArmPlan; warmups: number; rounds: number }[] = []
  for (let round = from; round < repeats; round += 1) {
    for (const arm of round % 2 === 0 ? arms : arms.toReversed()) {
      const last = visits.at(-1)
      if (last?.arm === arm) last.rounds += 1
      else visits.push({ arm, warmups: round === from ? warm : 0, rounds: 1 })
    }
  }
  return visits
}

/** The most benchmark runs of an experiment, warm-ups included. Imported experiments have no more. */
export const MOST_RUNS = 10_000

/** The most repeats of each case under each arm that {@link MOST_RUNS} allows. */
export function mostRepeats({ arms, cases, design: { warmups } }: ExperimentPlan): number {
  return Math.floor(MOST_RUNS / (arms.length * cases.length)) - warmups
}

/** The number of benchmark runs, warm-ups included; without a budget. */
export function runsOf({ arms, cases, design: { repeats, warmups } }: ExperimentPlan): number {
  return arms.length * cases.length * (repeats + warmups)
}
