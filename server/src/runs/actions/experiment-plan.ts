/** Builds the plan of an experiment from the lab's plan and the learner's choices. */
import { LabError } from '@expresslane/shared/wire/errors'
import { benchmarkKind } from '@expresslane/shared/features/metrics'
import { experimentPlan, orderOf, runsOf, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { capabilityName } from '@expresslane/shared/features/capabilities'
import { capabilitiesFor, settingsFor } from '@expresslane/shared/features/settings'
import type { Action, StepParams } from '@expresslane/shared/labs/lab'
import type { Testbed } from '../../testbeds/testbed.ts'

/** The length of one block of an interleaved design: every arm forwards and backwards. */
export const BLOCK_ROUNDS = 2

type Experiment = Extract<Action, { kind: 'experiment' }>

/** The budget is checked after each block, so at least the first block must fit. @throws LabError `bad_request` */
function requireRoomForBlock(plan: ExperimentPlan): void {
  const { budget, seconds } = plan.design
  const least = runsOf({ ...plan, design: { ...plan.design, repeats: BLOCK_ROUNDS } }) * seconds
  if (budget === null || least <= budget.seconds) return
  throw new LabError(
    'bad_request',
    `The time budget is too short: one block takes ${least} s, and the budget is ${budget.seconds} s.`,
    'Allow more time, or choose fewer arms, benchmarks, warm-ups or seconds.',
  )
}

/** The learner's plan, or the lab's plan with the learner's changes, and with a decided order. @throws LabError `bad_request` */
export function planFor({ plan }: Experiment, params: StepParams, testbed: Testbed): ExperimentPlan {
  const base = plan ?? params.plan
  if (base === undefined) {
    throw new LabError('bad_request', 'This experiment has no plan.', 'Choose arms and benchmarks on the Bench page.')
  }
  const { design } = base
  const asked = params.order ?? design.order
  const budget = params.budget === undefined ? design.budget : params.budget
  const order = orderOf({ order: asked, budget }, testbed.capabilities.has('quick-switch'))
  if (budget !== null && order === 'sequential') {
    throw new LabError(
      'bad_request',
      'A time budget needs the interleaved order. A sequential experiment can’t add repeats later.',
      'Choose the interleaved order, or remove the budget.',
    )
  }
  const repeats = params.repeats ?? design.repeats
  const seconds = params.seconds ?? design.seconds
  const warmups = params.warmups ?? design.warmups
  const arms = base.arms.map((arm) => ({ ...arm, settings: { ...params.settings, ...arm.settings } }))
  const decided = experimentPlan.parse({ ...base, arms, design: { order, repeats, seconds, warmups, budget } })
  requireRoomForBlock(decided)
  return decided
}

/** @throws LabError `bad_request` naming what this testbed can't set */
export function requireCapabilities({ arms, cases }: ExperimentPlan, testbed: Testbed): void {
  const families = cases.map(({ family }) => family)
  const needs = [
    ...new Set(arms.flatMap(({ settings }) => capabilitiesFor(settingsFor(settings, families)))),
    ...cases.flatMap(({ benchmark }) => benchmarkKind(benchmark).capability ?? []),
  ]
  const missing = needs.find((need) => !testbed.capabilities.has(need))
  if (missing === undefined) return
  throw new LabError(
    'bad_request',
    testbed.lacks.get(missing) ?? `This testbed does not support ${capabilityName(missing)}.`,
    'Choose another testbed, or remove this from the plan.',
  )
}
