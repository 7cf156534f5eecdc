import { resolveSettings } from '@expresslane/shared/features/settings'
import { actionProperties } from '@expresslane/shared/labs/actions'
import { armOf } from '@expresslane/shared/labs/lab'
import type { Settings } from '@expresslane/shared/base/settings'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { observe, sentencesOf } from '../../features/observe.ts'
import { isSlow, judge, showPath, type Perform, type StepContext } from '../perform/step-context.ts'
import { workloadOf } from '../measuring/workload.ts'
import { variantFor } from './deploy.ts'

/** Does a solve go on to new pods, with nothing but readings before? */
function deploysNext({ solve }: StepContext): boolean {
  const next = solve?.next.map(({ action }) => actionProperties(action))
  return next?.find(({ use }) => use !== null)?.leaves === 'pods'
}

/** Sets the nodes; in a solve that deploys next, the pods are replaced meanwhile. */
async function set(settings: Settings, context: StepContext): Promise<DatapathState> {
  const { testbed, lab } = context
  if (testbed.switchAndDeploy === null || !isSlow(context) || !deploysNext(context)) {
    return testbed.set(settings, context)
  }
  const datapath = await testbed.switchAndDeploy(settings, workloadOf(lab), variantFor(context), context)
  context.solve.replaced = true
  return datapath
}

/** Stores the current settings, sets the nodes to the arm, and reads the result. */
export const switchArm: Perform<'switch'> = async (action, context) => {
  const { testbed, snapshot, lab } = context
  const { families } = lab
  const arm = armOf(lab, action.arm)
  const settings = resolveSettings(arm, families, lab)
  const before = await testbed.read(context)
  await snapshot.keep(before.settings)
  const datapath = showPath(await set(settings, context), context)
  const observations = observe(datapath, { families, intent: settings, nodes: settings })
  return judge(
    observations,
    sentencesOf(lab.feature).switched(arm, families, datapath),
    (wrong) => `“${arm.label}” is not set everywhere: ${wrong} of ${observations.length} layers and devices differ.`,
  )
}
