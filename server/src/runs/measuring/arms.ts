/** Switches the path to an arm, and restores it afterwards. */
import { findSetting, resolveSettings } from '@expresslane/shared/features/settings'
import { LabError } from '@expresslane/shared/base/errors'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Settings } from '@expresslane/shared/base/settings'
import { familyName, type Family } from '@expresslane/shared/base/units'
import { observe } from '../../features/observe.ts'
import { variantFor } from '../actions/deploy.ts'
import type { CallContext, Testbed } from '../../testbeds/testbed.ts'
import type { StepContext } from '../perform/step-context.ts'
import { calledIn, workloadOf, type CalledPods } from './workload.ts'

/** Time limit for restoring the path after a cancel. */
const PUT_BACK_MS = 10_000

/** Sets the path, creates new pods, at the same time where that is quicker, and reads the path. */
async function setAndDeploy(settings: Settings, context: StepContext): Promise<DatapathState> {
  const { testbed, lab, emit } = context
  const [workload, variant] = [workloadOf(lab), variantFor(context)] as const
  if (testbed.switchAndDeploy !== null) {
    const datapath = await testbed.switchAndDeploy(settings, workload, variant, context)
    if (datapath.placement !== null) emit({ type: 'placement.made', placement: datapath.placement })
    return datapath
  }
  // The pods go anyway: the settings are then read back without everything that is in them.
  await testbed.remove(context)
  await testbed.set(settings, context)
  const placement = await testbed.deploy(workload, variant, context)
  emit({ type: 'placement.made', placement })
  return testbed.read(context)
}

/**
 * Sets the path to an arm, creates new pods, and checks every device.
 *
 * @throws LabError `datapath_not_taken`, errors of the testbed; `signal.reason`
 */
export async function switchTo(
  arm: ArmPlan,
  families: readonly Family[],
  context: StepContext,
): Promise<DatapathState> {
  const { lab } = context
  const settings = resolveSettings(arm, families, lab)
  const datapath = await setAndDeploy(settings, context)
  context.emit({ type: 'datapath.read', datapath })
  const wrong = observe(datapath, { families, nodes: settings, pods: settings }).find((one) => !one.ok)
  if (wrong === undefined) return datapath
  throw new LabError(
    'datapath_not_taken',
    `The path is not set to “${arm.label}”: ${wrong.label} has ${wrong.seen}.`,
    'Run the step again. If that does not help, check the device with `ip -d link`.',
    wrong.expected === null ? {} : { detail: `expected ${wrong.expected}` },
  )
}

/** What benchmarks call of newly created pods. @throws LabError `workload_not_ready` without an address of that family */
export function newlyCalled(datapath: DatapathState, family: Family, { lab }: StepContext): CalledPods {
  const called = calledIn(datapath, family, lab)
  if (called !== null) return called
  throw new LabError(
    'workload_not_ready',
    `The new pods have no ${familyName[family]} address.`,
    'Choose another family.',
  )
}

/** Restores the earlier settings. Settings that were added since are turned off. */
export async function setAsBefore(before: Settings, testbed: Testbed, context: CallContext): Promise<DatapathState> {
  // A setting of another version is nobody's any more.
  const known = Object.fromEntries(Object.entries(before).filter(([id]) => findSetting(id) !== undefined))
  const state = await testbed.set(known, context)
  const since = Object.keys(state.settings).filter((id) => !(id in before))
  if (since.length === 0) return state
  const off = since.flatMap((id) => {
    const setting = findSetting(id)
    return setting === undefined || setting.staysAsFound === true ? [] : [[id, setting.off] as const]
  })
  return testbed.set(Object.fromEntries(off), context)
}

/**
 * Restores the path where switching is quick; elsewhere the step Restore does it.
 *
 * @param kept whether the store had earlier settings before this run; they stay there for Restore
 */
async function leave(before: DatapathState, kept: boolean, context: StepContext): Promise<void> {
  const { testbed, emit, snapshot } = context
  if (testbed.primitives['quick-switch'] !== null) return
  const leaving = { emit, signal: context.signal.aborted ? AbortSignal.timeout(PUT_BACK_MS) : context.signal }
  await testbed.remove(leaving)
  const datapath = await setAsBefore(before.settings, testbed, leaving)
  emit({ type: 'datapath.read', datapath })
  if (!kept) await snapshot.clear()
}

/** Lets `work` switch the path, with the settings stored for Restore, and restores the path afterwards. */
export async function borrowPath<T>(context: StepContext, work: () => Promise<T>): Promise<T> {
  const { testbed, snapshot } = context
  const before = await testbed.read(context)
  const kept = (await snapshot.read()) !== null
  await snapshot.keep(before.settings)
  try {
    const result = await work()
    await leave(before, kept, context)
    return result
  } catch (error) {
    // Report the first error. If restoring fails too, Restore still has the stored settings.
    await leave(before, kept, context).catch(() => {})
    throw error
  }
}
