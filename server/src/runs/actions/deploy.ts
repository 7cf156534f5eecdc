import { resolveSettings } from '@expresslane/shared/features/settings'
import { LabError } from '@expresslane/shared/base/errors'
import type { Observation } from '@expresslane/shared/base/observation'
import { usualPlacement } from '@expresslane/shared/run/progress'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Placement, PlacementVariant, Pod } from '@expresslane/shared/testbed/placement'
import { familyName, type Family } from '@expresslane/shared/base/units'
import { armOf } from '@expresslane/shared/labs/lab'
import { roleName } from '@expresslane/shared/features/words'
import { observe } from '../../features/observe.ts'
import {
  isSlow,
  judge,
  readPath,
  recentPath,
  showPath,
  type Perform,
  type StepContext,
} from '../perform/step-context.ts'
import { workloadOf } from '../measuring/workload.ts'

/** `pod1 (client)`; only the name of a pod that is called like its role. */
function nameOf({ name, role }: Pod): string {
  return roleName(role) === name ? name : `${name} (${roleName(role)})`
}

function observeAddress(pod: Pod, family: Family): Observation {
  const address = pod.addresses[family]
  return {
    label: `${nameOf(pod)} ${familyName[family]}`,
    expected: 'an address',
    seen: address ?? 'none',
    ok: address !== null,
  }
}

/** Checks where pods are, and their addresses in each family. */
export function observePlacement({ pods, variant }: Placement, families: readonly Family[]): Observation[] {
  const together = variant === 'same-node'
  const nodes = [...new Set(pods.map(({ node }) => node))]
  return [
    {
      label: 'nodes',
      expected: together ? 'the same node' : 'different nodes',
      seen: nodes.join(', '),
      ok: (nodes.length === 1) === together,
    },
    ...families.flatMap((family) => pods.map((pod) => observeAddress(pod, family))),
  ]
}

/**
 * The placement that the learner chose, or the usual one.
 *
 * @param ofLab the placement that the lab asks for
 * @throws LabError `bad_request`
 */
export function variantFor(
  { testbed, params, earlier }: StepContext,
  ofLab: PlacementVariant | null = null,
): PlacementVariant {
  const asked = params.placement ?? usualPlacement(earlier(), ofLab)
  if (testbed.placements.has(asked)) return asked
  throw new LabError(
    'bad_request',
    `This testbed does not support the placement “${asked}”.`,
    `Choose one of: ${[...testbed.placements].join(', ')}.`,
  )
}

/** The path with the pods that the switch has created in this solve; null if the pods have to be created now. */
async function takeOver(variant: PlacementVariant, context: StepContext): Promise<DatapathState | null> {
  if (!isSlow(context) || !context.solve.replaced) return null
  context.solve.replaced = false
  const datapath = await recentPath(context)
  return datapath.placement?.variant === variant ? datapath : null
}

/** Creates new pods. Checks their placement, their addresses in each family, and the settings of the arm. */
export const deploy: Perform<'deploy'> = async (action, context) => {
  const { lab } = context
  const { families } = lab
  const variant = variantFor(context, action.placement ?? null)
  const replaced = await takeOver(variant, context)
  const placement = replaced?.placement ?? (await context.testbed.deploy(workloadOf(lab), variant, context))
  context.emit({ type: 'placement.made', placement })
  const datapath = replaced === null ? await readPath(context) : showPath(replaced, context)
  const observations = [
    ...observePlacement(placement, families),
    ...observe(datapath, { families, pods: resolveSettings(armOf(lab, action.arm), families, lab) }),
  ]
  return judge(
    observations,
    `The pods are ready: ${placement.pods.map(({ name, node }) => (name === node ? name : `${name} on ${node}`)).join(', ')}.`,
    (wrong) => `The pods are running, but ${wrong} of ${observations.length} values are not as expected.`,
  )
}
