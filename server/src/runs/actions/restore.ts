import { allSettings } from '@expresslane/shared/features/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import { family } from '@expresslane/shared/base/units'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { observe } from '../../features/observe.ts'
import { judge, readPath, type ActionOutcome, type StepContext } from '../perform/step-context.ts'
import { setAsBefore } from '../measuring/arms.ts'

/** The settings to restore without a snapshot: the current intent, without settings for the whole path. */
function present({ settings }: DatapathState): Settings {
  const whole = allSettings().filter(
    ({ id, family: of, staysAsFound }) => of === undefined && staysAsFound !== true && id in settings,
  )
  return { ...settings, ...Object.fromEntries(whole.map(({ id, off }) => [id, off] as const)) }
}

/**
 * Restores the settings from before the first change, and removes the pods. The snapshot is deleted only after the
 * kernel reports the restored values, so a failed restore can be run again.
 */
export async function putBack(context: StepContext): Promise<ActionOutcome> {
  const { testbed, snapshot } = context
  const kept = await snapshot.read()
  await testbed.remove(context)
  const settings = kept ?? present(await testbed.read(context))
  // Also without a snapshot: this resets devices that were changed by hand.
  await setAsBefore(settings, testbed, context)
  const datapath = await readPath(context)
  const observations = observe(datapath, { families: family.options, intent: settings, nodes: settings })
  const pods = datapath.placement === null ? 'none' : 'still running'
  observations.push({ label: 'netperf pods', expected: 'none', seen: pods, ok: datapath.placement === null })
  const outcome = judge(
    observations,
    'The testbed has its original settings again.',
    (wrong) => `${wrong} of ${observations.length} values are not restored yet.`,
  )
  if (outcome.passed) await snapshot.clear()
  return outcome
}
