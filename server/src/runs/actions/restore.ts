import { allSettings } from '@expresslane/shared/features/settings'
import type { Observation } from '@expresslane/shared/base/observation'
import type { Settings } from '@expresslane/shared/base/settings'
import { family } from '@expresslane/shared/base/units'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { observe } from '../../features/observe.ts'
import { judge, readPath, type ActionOutcome, type StepContext } from '../perform/step-context.ts'
import { setAsBefore } from '../measuring/arms.ts'

/** Without a snapshot: the current intent, without settings for the whole path. */
function present({ settings }: DatapathState): Settings {
  const whole = allSettings().filter(
    ({ id, family: of, staysAsFound }) => of === undefined && staysAsFound !== true && id in settings,
  )
  return { ...settings, ...Object.fromEntries(whole.map(({ id, off }) => [id, off] as const)) }
}

/** The settings from before the first change. */
export async function settingsBefore(state: DatapathState, { snapshot }: StepContext): Promise<Settings> {
  return (await snapshot.read()) ?? present(state)
}

/** Undoes and names everything that people changed in terminals. @param sizes of devices, which are restored by now @returns the number of changes */
async function undoByHand(sizes: readonly Observation[], context: StepContext): Promise<number> {
  const changes = (await context.testbed.terminals?.undo(context)) ?? []
  const all = [
    ...sizes.map(({ label, seen, expected }) => [label, 'set', `${seen}, was ${expected}`]),
    ...changes.map(({ where, change, line }) => [where, change, line.slice(0, 500)]),
  ]
  const rows = all.slice(0, 50)
  const title = 'Changed by hand, and undone'
  const columns = ['Where', 'Change', 'Line of the configuration']
  const exhibit = { kind: 'table', title, columns, rows, more: all.length - rows.length } as const
  if (all.length > 0) context.emit({ type: 'exhibit.found', exhibit })
  return all.length
}

/**
 * Restores the settings from before the first change, and removes the pods. The snapshot is deleted only after the
 * kernel reports the restored values, so a failed restore can be run again.
 */
export async function putBack(context: StepContext): Promise<ActionOutcome> {
  const { testbed, snapshot } = context
  const kept = await snapshot.read()
  const wereUsed = testbed.terminals?.wereUsed() === true
  const found = wereUsed ? await testbed.read(context) : null
  const sizes = found === null ? [] : observe(found, { families: family.options, nodes: found.settings })
  await testbed.remove(context)
  const settings = kept ?? present(await testbed.read(context))
  // Also without a snapshot: this resets devices that were changed by hand.
  await setAsBefore(settings, testbed, context)
  const undone = wereUsed
    ? await undoByHand(
        sizes.filter(({ ok }) => !ok),
        context,
      )
    : 0
  const datapath = await readPath(context)
  const observations = observe(datapath, { families: family.options, intent: settings, nodes: settings })
  const pods = datapath.placement === null ? 'none' : 'still running'
  observations.push({ label: 'netperf pods', expected: 'none', seen: pods, ok: datapath.placement === null })
  const outcome = judge(
    observations,
    `The testbed has its original settings again.${undone === 0 ? '' : ` ${undone === 1 ? '1 change' : `${undone} changes`} by hand ${undone === 1 ? 'is' : 'are'} undone.`}`,
    (wrong) => `${wrong} of ${observations.length} values are not restored yet.`,
  )
  if (outcome.passed) await snapshot.clear()
  return outcome
}
