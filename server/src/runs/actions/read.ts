import { LabError } from '@expresslane/shared/wire/errors'
import { armOf } from '@expresslane/shared/labs/lab'
import type { Settings } from '@expresslane/shared/measure/settings'
import { observe, sentencesOf } from '../../features/observe.ts'
import { judge, readPath, type Act } from '../perform/step-context.ts'
import { settingsOf } from '../measuring/settings.ts'

/** Requires pods, without which nothing can be read or measured. @throws LabError `step_not_ready` */
export function noPods(): LabError {
  return new LabError(
    'step_not_ready',
    'This testbed has no netperf pods.',
    'Run the step that deploys netperf first, or press Solve on this step.',
  )
}

/** Reads every device and compares it with the settings expected at this point of the walk. */
export const read: Act<'read'> = async (action, context) => {
  const { lab } = context
  const { families } = lab
  const datapath = await readPath(context)
  if (datapath.placement === null) throw noPods()
  const carried = (arm: string): Settings => settingsOf(armOf(lab, arm), families, lab)
  const observations = observe(datapath, { families, nodes: carried(action.nodes), pods: carried(action.pods) })
  return judge(
    observations,
    sentencesOf(lab.feature).carried(families, datapath),
    (wrong) => `${wrong} of ${observations.length} values are not as expected.`,
  )
}
