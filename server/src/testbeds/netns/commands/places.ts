/** The places of commands: the namespaces of a topology's pods and nodes, and the errors without them. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Role } from '@expresslane/shared/testbed/placement'
import type { TargetPlace } from '../../target.ts'
import { rolesOf, type Topology } from '../../topology.ts'

/** A command in a namespace, as a person would type it. */
export function inNamespace(namespace: string, argv: readonly string[]): string[] {
  return ['ip', 'netns', 'exec', namespace, ...argv]
}

export function noPods(): LabError {
  return new LabError(
    'step_not_ready',
    'There are no pods on the testbed.',
    'If the lab has a Deploy step, run it first. Otherwise run this step again.',
  )
}

export function removedError(): LabError {
  return new LabError('testbed_gone', 'The pod was removed while a command ran in it.', 'Run the step again.')
}

export function closedError(): LabError {
  return new LabError('testbed_gone', 'The testbed is closed.', 'Start Expresslane again.')
}

/** A namespace that commands run in. */
export interface PlaceFound {
  readonly namespace: string
  /** The role of its pod; null for a node that exists without pods. */
  readonly role: Role | null
}

/** @throws LabError `not_found` for a node or a role that the topology does not have */
export function findPlace(place: TargetPlace, topology: Topology): PlaceFound {
  if (place.kind === 'role' || place.kind === 'net' || place.kind === 'host') {
    const site = topology.pods.find(({ pod }) => pod.role === place.role)
    if (site !== undefined) return { namespace: site.pod.name, role: place.role }
    const known = rolesOf(topology).join(', ')
    throw new LabError('not_found', `The testbed has no ${place.role} pod.`, `Its pods are ${known}.`)
  }
  const { node } = place
  // A node can be a pod's own namespace.
  const site = topology.pods.find(({ pod }) => pod.name === node)
  if (topology.nodes.includes(node)) return { namespace: node, role: site?.pod.role ?? null }
  const known = topology.nodes.join(', ')
  throw new LabError('not_found', `The testbed has no node ${node}.`, `Its nodes are ${known}.`)
}
