import { whyLacking } from '@expresslane/shared/features/capabilities'
import { capabilitiesFor, findFeature, resolveSettings } from '@expresslane/shared/features/settings'
import { armOf, type Lab } from '@expresslane/shared/labs/lab'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { watchFrames, type Watch } from '../../benchmarks/watch-frames.ts'
import { podsOn } from '../../features/pods.ts'
import type { Captured, ProbeRun, RunProbe } from '../../features/feature.ts'
import { observe, probeOf } from '../../features/observe.ts'
import type { CapturedFrame } from '../../tools/tcpdump.ts'
import { switchTo } from '../measuring/arms.ts'
import { judge, showPath, type Perform, type StepContext } from '../perform/step-context.ts'
import { noPods } from './read.ts'

/** Time limit for removing the pods after an error or a cancel. */
const REMOVE_MS = 10_000

/** Why the testbed can't do an arm or the probe; empty if it can. */
function reasonsAgainst(arm: ArmPlan, probe: string, { lab, testbed }: StepContext): string[] {
  const own = findFeature(lab.feature)?.probes?.find(({ id }) => id === probe)?.needs ?? []
  const needs = [...capabilitiesFor(resolveSettings(arm, lab.families, lab)), ...own]
  return [...new Set(needs.flatMap((need) => whyLacking(need, testbed.primitives) ?? []))]
}

/** Pods that have the arm's settings, new ones if the existing pods have others. */
async function podsUnder(arm: ArmPlan, context: StepContext): Promise<DatapathState> {
  const { testbed, lab, snapshot } = context
  const { families } = lab
  const present = await testbed.read(context)
  const settings = resolveSettings(arm, families, lab)
  const isSet = observe(present, { families, nodes: settings, pods: settings }).every(({ ok }) => ok)
  if (present.placement !== null && isSet) return showPath(present, context)
  await snapshot.keep(present.settings)
  return switchTo(arm, families, context)
}

/** Captures while `work` is done, until each capture has seen its last packet. */
async function captureWhile<T>(
  watches: readonly Watch[],
  work: () => Promise<T>,
  context: StepContext,
): Promise<Captured<T>> {
  const frames = watches.map((): CapturedFrame[] => [])
  const running = watches.map((watch, index) =>
    watchFrames(
      context.testbed,
      {
        ...watch,
        isLast(frame) {
          frames[index]?.push(frame)
          return watch.isLast(frame)
        },
      },
      context,
    ),
  )
  try {
    await Promise.all(running.map(({ begun }) => begun))
    const result = await work()
    await Promise.all(running.map((one) => one.last()))
    return { result, frames }
  } finally {
    await Promise.all(running.map((one) => one.stop()))
  }
}

function runOn(arm: ArmPlan, { placement, settings }: DatapathState, context: StepContext): ProbeRun {
  if (placement === null) throw noPods()
  const { trySettings } = context.testbed
  return {
    arm,
    pods: podsOn(context.testbed, placement, context),
    show: (exhibit) => context.emit({ type: 'exhibit.found', exhibit }),
    trySettings:
      trySettings === undefined
        ? null
        : async (tried) => {
            // Restore then offers to undo it, also if this process is killed meanwhile.
            const { snapshot } = context
            const isFirst = (await snapshot.read()) === null
            await snapshot.keep(settings)
            const answer = await trySettings(tried, context)
            if (isFirst) await snapshot.clear()
            return answer
          },
    capture: (watches, work) => captureWhile(watches, work, context),
  }
}

/** Removes the pods if the probe does not come to its end: it can have changed them, and must not leave that behind. */
async function orRemoved<T>(work: () => Promise<T>, { testbed, emit }: StepContext): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // The first error is reported.
    await testbed.remove({ emit, signal: AbortSignal.timeout(REMOVE_MS) }).catch(() => {})
    throw error
  }
}

/** @throws Error if there is none; the lab's reader checks this */
function required({ feature, id }: Lab, probe: string): RunProbe {
  const run = probeOf(feature, probe)
  if (run === undefined) throw new Error(`the lab ${id} has no probe ${probe}`)
  return run
}

/**
 * Sends the feature's own packets under the first of the arms that the testbed can set. Where it can set none, the step is
 * left out, with the reason.
 */
export const probe: Perform<'probe'> = async (action, context) => {
  const { lab } = context
  const arms = action.arms.map((id) => armOf(lab, id))
  const arm = arms.find((one) => reasonsAgainst(one, action.probe, context).length === 0)
  if (arm === undefined) {
    const reasons = arms.flatMap((one) => reasonsAgainst(one, action.probe, context))
    const sentence = `This testbed can’t do this step, so it is left out. ${[...new Set(reasons)].join(' ')}`
    return { passed: true, leftOut: true, sentence, observations: [] }
  }
  const run = required(lab, action.probe)
  const datapath = await podsUnder(arm, context)
  const { sentence, observations, leftOut } = await orRemoved(() => run(runOn(arm, datapath, context)), context)
  if (leftOut === true) return { passed: true, leftOut, sentence, observations: [...observations] }
  return judge([...observations], sentence, (wrong) => `${wrong} of ${observations.length} values are not as expected.`)
}
