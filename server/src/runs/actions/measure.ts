import { LabError } from '@expresslane/shared/base/errors'
import { proofOf, resolveSettings } from '@expresslane/shared/features/settings'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import type { OneArm } from '@expresslane/shared/labs/actions'
import { armOf, type Lab, type StepParams } from '@expresslane/shared/labs/lab'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { benchmarkKind, metricOf, toolOf } from '@expresslane/shared/features/metrics'
import { medianOf, type Measurement } from '@expresslane/shared/measure/measurement'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { familyName } from '@expresslane/shared/base/units'
import { observe } from '../../features/observe.ts'
import { profileArm } from '../measuring/profile.ts'
import { repeatsOf } from '../measuring/repeats.ts'
import { judgeProof, recentPath, showPath, type Perform } from '../perform/step-context.ts'
import { calledIn, workloadOf, type CalledPods } from '../measuring/workload.ts'
import { variantFor } from './deploy.ts'
import { noPods } from './read.ts'

function sizes(action: OneArm, params: StepParams): { repeats: number; seconds: number } {
  return { repeats: params.repeats ?? action.repeats.default, seconds: params.seconds ?? action.seconds.default }
}

/** Checks that the path matches the arm before measuring. @returns the target that the benchmark calls */
function requireArm(
  { label, settings }: ArmPlan,
  { case: { family } }: OneArm,
  datapath: DatapathState,
  lab: Lab,
): CalledPods {
  const called = calledIn(datapath, family, lab)
  if (called === null) throw noPods()
  const wrong = observe(datapath, { families: [family], nodes: settings, pods: settings }).find((one) => !one.ok)
  if (wrong === undefined) return called
  throw new LabError(
    'step_not_ready',
    `The path does not match “${label}” over ${familyName[family]}: ${wrong.label} has ${wrong.seen}.`,
    'Another session may have restored the settings. Press Reset, then press Solve on this step.',
    wrong.expected === null ? {} : { detail: `expected ${wrong.expected}` },
  )
}

/** `12,191 TPS, 7.8 Gbit/s`: the medians of the metrics for which more is better. */
function speedOf(taken: readonly Measurement[]): string {
  const [first] = taken
  const main = first === undefined ? [] : benchmarkKind(first.benchmark, first.values).compared
  const fast = main.filter((metric) => metricOf(metric).better === 'more')
  return fast.map((metric) => metricOf(metric).say(medianOf(taken, metric) ?? Number.NaN)).join(', ')
}

/** Repeats one case under an arm. Passes when the feature's proof of the arm holds, at any speed. */
export const measure: Perform<'measure'> = async (action, context) => {
  const { lab, testbed } = context
  const { family, benchmark } = action.case
  const arm = armOf(lab, action.arm)
  const settings = resolveSettings(arm, [family], lab)
  const { repeats, seconds } = sizes(action, context.params)
  const [datapath, facts] = await Promise.all([recentPath(context), testbed.facts(context)])
  showPath(datapath, context)
  let called = requireArm({ ...arm, settings }, action, datapath, lab)
  context.emit({ type: 'facts.read', facts })
  const fingerprint = fingerprintOf(facts, datapath)
  const common = { arm: arm.id, caseId: null, family, benchmark, seconds, warmup: false, fingerprint }
  const measured = repeatsOf(context)
  while (measured.taken.length < repeats) {
    if (measured.taken.length > 0 && toolOf(benchmark).freshPods === true) {
      const placement = await testbed.deploy(workloadOf(lab), variantFor(context), context)
      context.emit({ type: 'placement.made', placement })
      called = { ...called, placement }
      measured.newPods()
    }
    await measured.take({ ...common, ...called }, repeats)
  }
  const measurements = measured.taken
  if (context.params.profile === true) {
    await profileArm({ ...common, ...called }, measurements.at(-1) ?? null, context)
  }
  const speed = `${speedOf(measurements)} (median of ${repeats})`
  return judgeProof(
    proofOf({ settings, benchmark, family, measurements, datapath }),
    `Measured: ${speed}.`,
    (wrong) => `Measured: ${speed}. But ${wrong} of the values are not as expected for this arm.`,
  )
}
