import { resolveSettings } from '@expresslane/shared/features/settings'
import { LabError } from '@expresslane/shared/base/errors'
import { armOf } from '@expresslane/shared/labs/lab'
import type { Settings } from '@expresslane/shared/base/settings'
import { observe, sentencesOf } from '../../features/observe.ts'
import { judge, recentPath, showPath, type Perform } from '../perform/step-context.ts'

/** Requires pods, without which nothing can be read or measured. @throws LabError `step_not_ready` */
export function noPods(): LabError {
  return new LabError(
    'step_not_ready',
    'This testbed has no pods.',
    'Run the step that deploys them first, or press Solve on this step.',
  )
}

const REPLACED = 'Solve has already replaced the pods, while the agents restarted.'

/** Reads every device and compares it with the settings expected at this point of the lab. */
export const read: Perform<'read'> = async (action, context) => {
  const { lab } = context
  const { families } = lab
  const datapath = showPath(await recentPath(context), context)
  if (datapath.placement === null) throw noPods()
  // While agents restarted, the switch of this solve has created pods that have the nodes' settings.
  const replaced = context.solve?.replaced === true
  const carried = (arm: string): Settings => resolveSettings(armOf(lab, arm), families, lab)
  const pods = carried(replaced ? action.nodes : action.pods)
  const observations = observe(datapath, { families, nodes: carried(action.nodes), pods })
  const sentence = sentencesOf(lab.feature).carried(families, datapath)
  return judge(
    observations,
    replaced ? `${sentence} ${REPLACED}` : sentence,
    (wrong) => `${wrong} of ${observations.length} values are not as expected.`,
  )
}
