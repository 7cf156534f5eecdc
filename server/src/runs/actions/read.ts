import { LabError } from '@expresslane/shared/wire/errors'
import { armOf } from '@expresslane/shared/labs/lab'
import type { Settings } from '@expresslane/shared/measure/settings'
import { compareLayers } from '@expresslane/shared/features/big-tcp/layers'
import { observe } from '../../features/observe.ts'
import { judge, readPath, type Act } from '../perform/step-context.ts'
import { settingsOf } from '../measuring/settings.ts'

/** Nothing to read or measure without pods. */
export function noPods(): LabError {
  return new LabError(
    'step_not_ready',
    'There are no netperf pods on this testbed.',
    'Deploy netperf (or redeploy it, once BIG TCP is on) first; where this step offers Solve, that does it too.',
  )
}

/** Reads every device and holds it against what nodes and pods should carry at this point of the walk. */
export const read: Act<'read'> = async (action, performance) => {
  const { lab } = performance
  const { families } = lab
  const datapath = await readPath(performance)
  if (datapath.placement === null) throw noPods()
  const carried = (arm: string): Settings => settingsOf(armOf(lab, arm), families, lab)
  const observations = observe(datapath, { families, nodes: carried(action.nodes), pods: carried(action.pods) })
  const good = families.some((family) => compareLayers(datapath, family) === 'pods-differ')
    ? 'The nodes have the new size and the pods still carry the old one.'
    : 'Nodes and pods carry the same size.'
  return judge(
    observations,
    good,
    (wrong) => `${wrong} of ${observations.length} devices carry another size than expected.`,
  )
}
