/** Sets keys of Cilium's ConfigMap, and replaces the pods while the agents restart. */
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { PlacementVariant } from '@expresslane/shared/testbed/placement'
import type { KeyValues } from '../../cilium-key.ts'
import type { CallContext } from '../../testbed.ts'
import type { Workload } from '../../workload.ts'
import { patient } from '../api/patience.ts'
import { readPath } from '../datapath/path.ts'
import { deployWorkload } from '../workload/workload.ts'
import { switchSettings, type SwitchParts } from './switch.ts'

/** The pods to create. */
interface Deployment {
  readonly workload: Workload
  readonly variant: PlacementVariant
}

/**
 * Switches, and replaces the pods meanwhile: the old pods go when the agents go. The new pods are created as soon as no
 * old agent is left, and wait for their node's new agent, which gives them their sizes.
 *
 * @throws LabError the errors of {@link switchSettings}: then the pods are gone and the settings restored. The errors
 * of {@link deployWorkload}: then the settings stay. `signal.reason`
 */
export async function switchAndDeploy(
  parts: SwitchParts,
  change: KeyValues,
  { workload, variant }: Deployment,
  context: CallContext,
): Promise<DatapathState> {
  const begun: Promise<unknown>[] = []
  await switchSettings(
    parts,
    change,
    (replaced, inner) => {
      const deploying = deployWorkload(parts, workload, variant, inner, replaced)
      begun.push(deploying)
      return deploying
    },
    context,
  )
  // If no agent had to be restarted, it has not begun.
  await (begun[0] ?? deployWorkload(parts, workload, variant, context))
  return patient(context, () => readPath(parts, context))
}
