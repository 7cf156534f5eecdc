import { compareCases, widestInterval } from '@expresslane/shared/compare/cases'
import { summaryOf } from '@expresslane/shared/compare/control'
import { toolOf } from '@expresslane/shared/features/metrics'
import { areOfOtherMachines, proofOf, resolveSettings } from '@expresslane/shared/features/settings'
import type { Observation } from '@expresslane/shared/base/observation'
import {
  armInCase,
  runsOf,
  visitsOf,
  type ArmPlan,
  type ExperimentPlan,
  type Order,
  type TestCase,
  type Visit,
} from '@expresslane/shared/measure/experiment'
import { fingerprintOf, type Fingerprint } from '@expresslane/shared/measure/fingerprint'
import { changedSettings } from '@expresslane/shared/base/settings'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { TestbedFacts } from '@expresslane/shared/testbed/testbed'
import type { Family } from '@expresslane/shared/base/units'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { borrowPath, newlyCalled, switchTo } from '../measuring/arms.ts'
import { profileArm } from '../measuring/profile.ts'
import { repeatsOf, type Repeats } from '../measuring/repeats.ts'
import { judgeProof, type ActionOutcome, type Perform, type StepContext } from '../perform/step-context.ts'
import { BLOCK_ROUNDS, whyStopped } from './budget.ts'
import { labOf, planFor, requireCapabilities, requireChoices } from './experiment-plan.ts'

/** The state of a running experiment. */
interface Going {
  readonly plan: ExperimentPlan
  readonly order: Order
  readonly families: readonly Family[]
  /** The facts of the machine that the arm runs on. */
  facts: TestbedFacts
  readonly context: StepContext
  readonly measured: Repeats
  /** The path as read after the last switch, by arm and case. */
  readonly paths: Map<string, DatapathState>
  /** The arm that the path is set to, with the settings of its case. */
  arm: ArmPlan | null
  /** The present pods were measured with. */
  used: boolean
  fingerprint: Fingerprint | null
  datapath: DatapathState | null
  /** Total number of repeats, as far as known. */
  total: number
}

function placeOf(arm: Pick<ArmPlan, 'id'>, { id }: Pick<TestCase, 'id'>): string {
  return `${arm.id} ${id}`
}

/** Is the path set to the arm, with pods that can be measured? */
function isThere(arm: ArmPlan, { benchmark }: TestCase, { arm: now, used }: Going): boolean {
  if (now === null || now.id !== arm.id || changedSettings(now.settings, arm.settings).length > 0) return false
  return !used || toolOf(benchmark).freshPods !== true
}

/** Are the facts of another machine? If there are several machines, the machine is unknown before the first arm. */
function isOtherMachine(now: DatapathState, { datapath, context: { testbed } }: Going): boolean {
  if (datapath === null) return testbed.choices.size > 0
  return areOfOtherMachines(datapath.settings, now.settings)
}

/** Sets the path to an arm with the settings of a case, unless it is there already. @throws LabError `datapath_not_taken` */
async function goTo(arm: ArmPlan, of: TestCase, going: Going): Promise<void> {
  if (isThere(arm, of, going)) return
  const { context, families } = going
  context.emit({
    type: 'progress',
    subject: null,
    message: `Switching to ${arm.label}${of.settings === undefined ? '' : `, ${of.label}`}`,
    done: going.measured.taken.length,
    total: going.total,
  })
  const datapath = await switchTo(arm, families, context)
  if (isOtherMachine(datapath, going)) {
    // The load is that of the start: the machine that carries both is one.
    going.facts = { ...(await context.testbed.facts(context)), load: going.facts.load }
  }
  going.arm = arm
  going.datapath = datapath
  going.fingerprint = fingerprintOf(going.facts, datapath)
  going.measured.newPods()
  going.used = false
}

async function runCases(arm: ArmPlan, warmup: boolean, going: Going): Promise<void> {
  const { plan, context, measured } = going
  for (const one of plan.cases) {
    const { id: caseId, label, family, benchmark } = one
    await goTo(armInCase(arm, one), one, going)
    const { datapath, fingerprint } = going
    if (datapath === null || fingerprint === null) throw new Error('the path is switched before an arm is measured')
    going.paths.set(placeOf(arm, one), datapath)
    const called = newlyCalled(datapath, family, context)
    const done = measured.taken.length
    const message = `${warmup ? 'Warming up' : 'Measuring'} ${arm.label}: ${label}`
    context.emit({ type: 'progress', subject: null, message, done, total: Math.max(done + 1, going.total) })
    const { seconds } = plan.design
    await measured.take(
      { arm: arm.id, caseId, family, benchmark, seconds, warmup, fingerprint, ...called },
      going.total,
    )
    going.used = true
  }
}

async function visit({ arm, warmups, rounds }: Visit, going: Going): Promise<void> {
  for (let round = 0; round < warmups + rounds; round += 1) await runCases(arm, round < warmups, going)
}

/** Emits the comparisons so far, without the values that the measurements have. */
function emitEstimate(comparisons: readonly CaseComparison[], { context }: Going): void {
  const short = comparisons.map((one) => {
    const rows = one.comparison.rows.map((row) => ({ ...row, offValues: [], onValues: [] }))
    return { ...one, comparison: { ...one.comparison, rows } }
  })
  if (short.length > 0) context.emit({ type: 'cases.compared', comparisons: short, estimate: true })
}

/**
 * Estimates the comparisons of an arm after a visit to it. The first arm is in all comparisons: with several, the next
 * visits bring what it has measured.
 */
function estimateArm({ id }: ArmPlan, going: Going): void {
  const { plan, order, measured } = going
  const [first, other, ...more] = plan.arms
  const arm = id === first?.id ? (more.length === 0 ? other?.id : undefined) : id
  if (arm !== undefined) emitEstimate(compareCases(plan, order, measured.taken, 'main', arm), going)
}

/** Estimates all comparisons. @returns the widest interval of a main metric, in percent; null while one is unknown */
function estimateAll(going: Going): number | null {
  const { plan, order, measured } = going
  const comparisons = compareCases(plan, order, measured.taken, 'main')
  emitEstimate(comparisons, going)
  return widestInterval(comparisons)
}

/** Measures in the order of the design. @returns why it stopped, if a budget decided that */
async function measureAll(going: Going): Promise<string | null> {
  const { plan, order, context } = going
  const { budget } = plan.design
  if (budget === null) {
    for (const one of visitsOf(plan, order, plan.design.repeats)) {
      await visit(one, going)
      estimateArm(one.arm, going)
    }
    return null
  }
  const began = context.now()
  for (let rounds = 0; ; rounds += BLOCK_ROUNDS) {
    for (const one of visitsOf(plan, order, rounds + BLOCK_ROUNDS, rounds)) await visit(one, going)
    const width = estimateAll(going)
    const spent = (context.now() - began) / 1000
    const stopped = whyStopped(plan, budget, { rounds: rounds + BLOCK_ROUNDS, seconds: spent, width })
    if (stopped !== null) return stopped
  }
}

/** The features' proofs for each arm and case. */
function observe({ plan, measured: { taken }, paths, context: { lab } }: Going): Observation[] {
  return plan.arms.flatMap((arm) => {
    return plan.cases.flatMap((one) => {
      const { id, label, family, benchmark } = one
      const datapath = paths.get(placeOf(arm, one))
      if (datapath === undefined) return []
      const measurements = taken.filter(({ arm: of, caseId, warmup }) => of === arm.id && caseId === id && !warmup)
      const settings = resolveSettings(armInCase(arm, one), [family], lab)
      return proofOf({ settings, benchmark, family, measurements, datapath }).map((seen) => ({
        ...seen,
        label: `${arm.label}, ${label}: ${seen.label}`,
      }))
    })
  })
}

/** The final comparisons and the proofs. */
function conclude(going: Going, stopped: string | null): ActionOutcome {
  const { plan, order, measured, context } = going
  const comparisons = compareCases(plan, order, measured.taken, 'all')
  context.emit({ type: 'cases.compared', comparisons })
  const [first] = comparisons
  const alone = plan.arms.length === 1 ? 'One arm alone can’t be compared' : 'No comparison is possible'
  const several = comparisons.length > 1 ? summaryOf(comparisons) : first?.comparison.sentence
  const result = several ?? `Measured. ${alone}.`
  const sentence = [result, stopped].filter((one) => one !== null).join(' ')
  return judgeProof(
    observe(going),
    sentence,
    (wrong) => `${sentence} But ${wrong} of the values are not as expected for their arm.`,
  )
}

/** Profiles each arm in each case: after the verdict, so that no judged repeat has a profiler. */
async function profileAll(going: Going): Promise<void> {
  const { plan, context, measured } = going
  const total = plan.arms.length * plan.cases.length
  for (const [index, arm] of plan.arms.entries()) {
    for (const [place, one] of plan.cases.entries()) {
      const { id: caseId, label, family, benchmark } = one
      await goTo(armInCase(arm, one), one, going)
      const { datapath, fingerprint } = going
      if (datapath === null || fingerprint === null) throw new Error('the path is switched before an arm is profiled')
      const message = `Profiling ${arm.label}: ${label}`
      context.emit({ type: 'progress', subject: null, message, done: index * plan.cases.length + place, total })
      const previous = measured.taken.findLast(({ arm: of, caseId: within }) => of === arm.id && within === caseId)
      const called = newlyCalled(datapath, family, context)
      await profileArm({ arm: arm.id, caseId, family, benchmark, fingerprint, ...called }, previous ?? null, context)
      going.used = true
    }
  }
}

/** Measures every case under every arm and compares them. Passes when the proofs hold, at any speed. */
export const experiment: Perform<'experiment'> = async (action, given) => {
  const { testbed, params, emit } = given
  const { plan, leftOut } = planFor(action, params, given)
  requireCapabilities(plan, testbed)
  requireChoices(plan, testbed)
  const context = { ...given, lab: labOf(plan, given.lab) }
  const order: Order = plan.design.order === 'sequential' ? 'sequential' : 'interleaved'
  emit({ type: 'experiment.planned', plan, ...(leftOut.length === 0 ? {} : { leftOut }) })
  const facts = await testbed.facts(context)
  emit({ type: 'facts.read', facts })
  const going: Going = {
    plan,
    order,
    families: [...new Set(plan.cases.map(({ family }) => family))],
    facts,
    context,
    measured: repeatsOf(context),
    paths: new Map(),
    arm: null,
    used: false,
    fingerprint: null,
    datapath: null,
    total: runsOf(plan),
  }
  return borrowPath(context, async () => {
    const outcome = conclude(going, await measureAll(going))
    if (params.profile === true) await profileAll(going)
    return outcome
  })
}
