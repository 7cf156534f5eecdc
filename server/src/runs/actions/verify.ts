import { resolveSettings } from '@expresslane/shared/features/settings'
import { armOf } from '@expresslane/shared/labs/lab'
import type { Observation } from '@expresslane/shared/base/observation'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { observe, sentencesOf } from '../../features/observe.ts'
import { judge, readPath, type Perform } from '../perform/step-context.ts'

/** Checks that all layers match the arm. With `switchOff`, a path that differs is set to the arm first. */
export const verify: Perform<'verify'> = async (action, context) => {
  const { testbed, snapshot, params, lab } = context
  const { families } = lab
  const arm = armOf(lab, action.arm)
  const settings = resolveSettings(arm, families, lab)
  const look = (state: DatapathState): Observation[] => observe(state, { families, intent: settings, nodes: settings })
  let datapath = await readPath(context)
  // Also if only the kernel differs, because devices were changed by hand.
  if (params.switchOff === true && look(datapath).some((one) => !one.ok)) {
    await snapshot.keep(datapath.settings)
    datapath = await testbed.set(settings, context)
    context.emit({ type: 'datapath.read', datapath })
  }
  const observations = look(datapath)
  const { verified, notVerified } = sentencesOf(lab.feature)
  return judge(
    observations,
    verified(arm, families),
    (wrong) => `${notVerified(arm, families)}: ${wrong} of ${observations.length} layers and devices differ.`,
  )
}
