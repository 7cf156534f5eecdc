/**
 * The progress of the agents' restart on each node. The DaemonSet's counters don't help here: they stay green while
 * pods are deleted, because its generation does not change.
 */
import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { isReady, uidOf } from '../api/pod.ts'

/** A container that ended unexpectedly. */
export interface Ended {
  /** The id of this one run of the container. */
  readonly id: string
  readonly container: string
  /** Whether another run has started since; then its log is the previous one's. */
  readonly previous: boolean
  readonly exitCode: number
  /** `Error`, `OOMKilled`, ... */
  readonly reason: string
  /** Its termination message, verbatim. */
  readonly message: string
}

type Phase =
  /** The old agent is still there. */
  | { readonly is: 'old' }
  | { readonly is: 'missing' }
  | { readonly is: 'starting'; readonly words: string }
  | { readonly is: 'ended'; readonly ended: Ended }
  | { readonly is: 'ready' }

export interface NodeRollout {
  readonly node: string
  /** The agent's pod that counts; null while there is none. */
  readonly pod: V1Pod | null
  readonly phase: Phase
}

export interface Rollout {
  /** In the order of their names. */
  readonly nodes: readonly NodeRollout[]
  /** The kubelets have ended all old agents. */
  readonly noneLeft: boolean
  /** Every node that had or has an agent has a Ready agent that was made after the change, and no other. */
  readonly complete: boolean
}

function endedOf({ name, state, lastState }: V1ContainerStatus, isInit: boolean): Ended | null {
  const present = state?.terminated
  const failed = present !== undefined && (present.exitCode !== 0 || !isInit) ? present : null
  const last = lastState?.terminated
  const found = failed ?? (last !== undefined && last.exitCode !== 0 && present === undefined ? last : null)
  if (found === null) return null
  const { exitCode, reason = 'Error', message = '', containerID: id = '' } = found
  const previous = failed === null && state?.running !== undefined
  return { id, container: name, previous, exitCode, reason, message }
}

/** Why the pod waits, in the words of the kubelet and the scheduler. */
function startingWords({ status }: V1Pod): string {
  const inits = status?.initContainerStatuses ?? []
  const containers = status?.containerStatuses ?? []
  const waiting = [...inits, ...containers]
    .map(({ state }) => state?.waiting)
    .find((state) => state?.reason !== undefined && !['PodInitializing', 'ContainerCreating'].includes(state.reason))
  if (waiting !== undefined) return [waiting.reason, waiting.message].filter(Boolean).join(': ')
  const unscheduled = status?.conditions?.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  )
  if (unscheduled !== undefined) return [unscheduled.reason, unscheduled.message].filter(Boolean).join(': ')
  const done = inits.filter(({ ready }) => ready).length
  if (containers.some(({ state }) => state?.running !== undefined)) return 'its containers are running'
  return inits.length === 0
    ? 'its pod is being created'
    : `init container ${Math.min(done + 1, inits.length)} of ${inits.length}`
}

function phaseOf(pod: V1Pod): Phase {
  if (isReady(pod)) return { is: 'ready' }
  const inits = (pod.status?.initContainerStatuses ?? []).map((status) => endedOf(status, true))
  const mains = (pod.status?.containerStatuses ?? []).map((status) => endedOf(status, false))
  const ended = [...inits, ...mains].find((one) => one !== null) ?? null
  if (ended !== null) return { is: 'ended', ended }
  return { is: 'starting', words: startingWords(pod) }
}

/** A pod without a kubelet is bound to its node by the DaemonSet's affinity. */
function nodeOf({ spec }: V1Pod): string | null {
  if (spec?.nodeName !== undefined) return spec.nodeName
  const terms = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const fields = terms.flatMap(({ matchFields = [] }) => matchFields)
  return fields.find(({ key }) => key === 'metadata.name')?.values?.[0] ?? null
}

/**
 * @param pods all agents' pods, as the API server lists them
 * @param old UIDs of the pods that were there when the change was in place: every other pod was created after it
 * @param had the nodes that had an agent then
 */
export function readRollout(pods: readonly V1Pod[], old: ReadonlySet<string>, had: readonly string[]): Rollout {
  const placed = pods.map((pod) => ({ pod, node: nodeOf(pod) }))
  const names = new Set([...had, ...placed.flatMap(({ node }) => node ?? [])])
  const nodes = [...names].toSorted().map((node): NodeRollout => {
    const here = placed.filter((one) => one.node === node).map(({ pod }) => pod)
    const fresh = here.filter((pod) => !old.has(uidOf(pod)) && pod.metadata?.deletionTimestamp === undefined)
    const pod = fresh.at(-1) ?? null
    if (pod !== null) return { node, pod, phase: phaseOf(pod) }
    return { node, pod: null, phase: { is: here.length > 0 ? 'old' : 'missing' } }
  })
  const noneLeft = pods.every((pod) => !old.has(uidOf(pod)))
  return { nodes, noneLeft, complete: noneLeft && nodes.length > 0 && nodes.every(({ phase }) => phase.is === 'ready') }
}

/** `starting, init container 2 of 5` */
export function describeNode({ phase }: Pick<NodeRollout, 'phase'>): string {
  switch (phase.is) {
    case 'old':
      return 'the old agent is stopping'
    case 'missing':
      return 'no agent yet'
    case 'starting':
      return `starting, ${phase.words}`
    case 'ended':
      return `its ${phase.ended.container} exited with code ${phase.ended.exitCode} (${phase.ended.reason})`
    case 'ready':
      return 'ready'
  }
}
