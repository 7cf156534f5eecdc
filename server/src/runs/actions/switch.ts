import { armOf } from '@expresslane/shared/labs/lab'
import { observe, sentencesOf } from '../../features/observe.ts'
import { judge, type Act } from '../perform/step-context.ts'
import { settable, settingsOf } from '../measuring/settings.ts'

/** Stores the current settings, sets the nodes to the arm, and reads the result. */
export const switchArm: Act<'switch'> = async (action, context) => {
  const { testbed, snapshot, lab } = context
  const { families } = lab
  const arm = armOf(lab, action.arm)
  const settings = settingsOf(arm, families, lab)
  const before = await testbed.read(context)
  await snapshot.keep(before.settings)
  const datapath = await testbed.set(settable(settings, testbed), context)
  context.emit({ type: 'datapath.read', datapath })
  const observations = observe(datapath, { families, intent: settings, nodes: settings })
  return judge(
    observations,
    sentencesOf(lab.feature).switched(arm, families, datapath),
    (wrong) => `“${arm.label}” is not set everywhere: ${wrong} of ${observations.length} layers and devices differ.`,
  )
}
