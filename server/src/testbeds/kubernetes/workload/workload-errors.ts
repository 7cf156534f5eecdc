/** Why the workload is not ready, with a remedy for each reason. */
import { LabError } from '@expresslane/shared/base/errors'
import type { PlacementVariant } from '@expresslane/shared/testbed/placement'
import { familyName, type Family } from '@expresslane/shared/base/units'
import { architecture } from '../../programs/pack.ts'
import type { PlacedWorkload, StuckCause } from './pods.ts'

export interface WorkloadNames {
  readonly namespace: string
  readonly image: string
  readonly variant: PlacementVariant
}

const room: Readonly<Record<PlacementVariant, string>> = {
  'other-node':
    'The two pods need two different nodes that accept pods. Uncordon a node, remove a taint, or add a node. Each pod requests 0.1 CPU and 32 MiB.',
  'same-node': 'The two pods need one node that accepts both, with 0.2 CPU and 64 MiB free.',
  'host-network': 'The two pods need two different nodes that accept pods, with port 12865 free on one of them.',
}

/** For an image that a node can't pull. */
export const IMAGE_REMEDY =
  'Set EXPRESSLANE_BASE_IMAGE to an image with sh and tar that the nodes can pull, such as busybox in your own registry. Or set EXPRESSLANE_NETPERF_IMAGE to an image that the nodes have or can pull: manifests/netperf-image builds one.'

/** Appended for pods that only run on some nodes. */
const ARCHITECTURE = ` Without EXPRESSLANE_NETPERF_IMAGE the pods only run on nodes with this machine’s processor (${architecture}).`

function remedyOf(cause: StuckCause, why: string, { image, variant }: WorkloadNames): string {
  switch (cause) {
    case 'schedule':
      return room[variant] + (why.includes('affinity/selector') ? ARCHITECTURE : '')
    case 'image':
      return IMAGE_REMEDY
    case 'configuration':
      return "Read the node's message; it does not accept the pod in manifests/netperf.yaml."
    case 'crash':
      return `Read its last output: the image ${image} must contain netperf, netserver and sleep, and port 12865 must be free.`
  }
}

function commandOf(cause: StuckCause | null, { namespace }: WorkloadNames): string {
  return cause === 'schedule'
    ? 'kubectl get nodes -o custom-columns=NAME:.metadata.name,CORDONED:.spec.unschedulable,TAINTS:.spec.taints[*].key'
    : `kubectl -n ${namespace} get events --sort-by=.lastTimestamp`
}

/** @param why the scheduler's or the kubelet's words */
export function stuckError(pod: string, cause: StuckCause, why: string, names: WorkloadNames): LabError {
  return new LabError('workload_not_ready', `Pod ${pod} can’t become ready.`, remedyOf(cause, why, names), {
    detail: why,
    remedyCommand: commandOf(cause, names),
  })
}

/** @param reasons each a pod's name and the last reason that was reported for it */
export function lateError(reasons: readonly string[], seconds: number, names: WorkloadNames): LabError {
  return new LabError(
    'workload_not_ready',
    `The netperf pods were not ready within ${seconds} seconds.`,
    'Check the latest reasons and the events of the namespace, then run the step again.',
    { detail: reasons.join('\n'), remedyCommand: commandOf(null, names) },
  )
}

/** A foreign pod has a name that the workload needs. */
export function inTheWay(pod: string, { namespace }: WorkloadNames): LabError {
  return new LabError(
    'workload_not_ready',
    `There is a pod ${pod} in namespace ${namespace} that Expresslane did not create.`,
    'Delete it, or let Expresslane use another namespace.',
    { remedyCommand: `kubectl -n ${namespace} delete pod ${pod}` },
  )
}

export function namespaceEnding(namespace: string): LabError {
  return new LabError(
    'workload_not_ready',
    `Namespace ${namespace} is being removed.`,
    'Wait until it is gone, then run the step again.',
    { remedyCommand: `kubectl wait --for=delete namespace/${namespace}` },
  )
}

/** @returns `error`, or the result of `toError` for a refusal not by RBAC: Pod Security, a quota, a webhook */
export function admission(error: unknown, toError: (words: string) => LabError): unknown {
  if (!(error instanceof LabError) || error.code !== 'cluster_forbidden' || error.detail === null) return error
  return /cannot \w+ resource/.test(error.detail) ? error : toError(error.detail)
}

/** The command that makes a namespace accept any pod. */
export function takeAnyPod(namespace: string): string {
  return `kubectl label namespace ${namespace} pod-security.kubernetes.io/enforce=privileged --overwrite`
}

/** @param detail the API server's words: a Pod Security level, a quota, a webhook */
export function notAdmitted(detail: string, { namespace }: Pick<WorkloadNames, 'namespace'>): LabError {
  return new LabError(
    'workload_not_ready',
    'The cluster does not admit the netperf pods.',
    `Check which rule forbids them. If it is Pod Security, allow them in namespace ${namespace}.`,
    { detail, remedyCommand: takeAnyPod(namespace) },
  )
}

/** @param detail netperf's words */
export function noPackets(family: Family, { placement }: PlacedWorkload, detail: string): LabError {
  const words = placement.pods.map(({ name, node }) => `${name} on ${node}`)
  return new LabError(
    'netserver_unreachable',
    `No packet passes over ${familyName[family]} from ${words.join(' to ')}.`,
    'The pods are ready, so the datapath between these nodes drops the packets. Check the Cilium agents on both nodes, then run the step again.',
    { detail, remedyCommand: 'kubectl -n kube-system exec ds/cilium -- cilium-dbg status --verbose' },
  )
}
