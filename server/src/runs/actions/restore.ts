import { allSettings } from '@expresslane/shared/features/settings'
import type { Settings } from '@expresslane/shared/measure/settings'
import { family } from '@expresslane/shared/measure/units'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { observe } from '../../features/observe.ts'
import { judge, readPath, type Finding, type StepContext } from '../perform/step-context.ts'
import { setAsBefore } from '../measuring/settings.ts'

/** What to go back to where nothing is kept: what is asked for now, and nothing that is set for the whole path. */
function present({ settings }: DatapathState): Settings {
  const whole = allSettings.filter(({ id, family: of }) => of === undefined && id in settings)
  return { ...settings, ...Object.fromEntries(whole.map(({ id, off }) => [id, off] as const)) }
}

/**
 * Puts back the settings that were there before the first change and removes the pods.
 * The snapshot is forgotten only once the kernel has followed, so a failed restore can be
 * run again.
 */
export async function putBack(context: StepContext): Promise<Finding> {
  const { testbed, snapshot } = context
  const kept = snapshot.read()
  await testbed.remove(context)
  const settings = kept ?? present(await testbed.read(context))
  // Also where nothing was kept: a device that somebody set by hand follows the intent again.
  await setAsBefore(settings, testbed, context)
  const datapath = await readPath(context)
  const observations = observe(datapath, { families: family.options, intent: settings, nodes: settings })
  const pods = datapath.placement === null ? 'none' : 'still there'
  observations.push({ label: 'netperf pods', expected: 'none', seen: pods, ok: datapath.placement === null })
  const finding = judge(
    observations,
    'The testbed is as it was before the lab.',
    (wrong) => `${wrong} of ${observations.length} values are not back yet.`,
  )
  if (finding.passed) snapshot.clear()
  return finding
}
