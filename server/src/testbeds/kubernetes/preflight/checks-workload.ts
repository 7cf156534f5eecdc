/** Checks the workload's namespace and image. */
import type { V1Namespace } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import type { Capability, Check } from '@expresslane/shared/testbed/testbed'
import { failed, failedBy, passed, warning } from '../../check.ts'
import { keepsAway, nameOf } from '../api/nodes.ts'
import type { ClusterReading, ToolsSeen } from '../facts/cluster-reading.ts'
import { architecture } from '../../programs/pack.ts'
import { takeAnyPod } from '../workload/workload-errors.ts'

const ENFORCE = 'pod-security.kubernetes.io/enforce'

/** Null if every pod is accepted. */
function levelOf(namespace: V1Namespace | null): string | null {
  const level = namespace?.metadata?.labels?.[ENFORCE]
  return level === undefined || level === 'privileged' ? null : level
}

/**
 * The pods themselves fit Pod Security's `baseline`; on the host's network they need `privileged`.
 *
 * @param namespace null if it does not exist yet
 * @see https://kubernetes.io/docs/concepts/security/pod-security-standards/
 */
export function namespaceCheck(name: string, namespace: V1Namespace | null): Check {
  const id = 'namespace'
  const title = "The workload's namespace accepts its pods"
  if (namespace === null) return passed(id, title, `${name} will be created.`)
  if (namespace.metadata?.deletionTimestamp !== undefined) {
    return warning(id, title, `${name} is being deleted.`, {
      remedy: 'Wait until it is gone. Until then, no pod can be created in it.',
      remedyCommand: `kubectl wait --for=delete namespace/${name}`,
    })
  }
  const level = levelOf(namespace)
  if (level === null) return passed(id, title, name)
  return warning(id, title, `${name} enforces Pod Security "${level}".`, {
    remedy:
      "This level forbids pods on the host's network, so the placement on the host network will be refused. The other placements work.",
    remedyCommand: takeAnyPod(name),
  })
}

/** Whether the nodes can start pods of the image, and have programs for them. */
export function imageCheck({ workload, nodes, tools, programs, trial }: ClusterReading): Check {
  const { image } = workload
  const id = 'image'
  const title = "The workload's image"
  if (programs instanceof LabError) return failedBy(id, title, programs, 'all')
  const free = nodes.filter((node) => keepsAway(node) === null)
  const others = free.filter(({ status }) => (status?.nodeInfo?.architecture ?? architecture) !== architecture)
  if (programs !== undefined && others.length > 0 && free.length - others.length < 2) {
    const seen = `This machine’s programs are for ${architecture}, and these nodes have another processor: ${others.map(nameOf).join(', ')}.`
    const remedy = `Set EXPRESSLANE_NETPERF_IMAGE to an image for that processor: manifests/netperf-image builds one.`
    return failed(id, title, seen, { remedy }, 'all')
  }
  const problem = trial?.problem ?? null
  if (problem?.code === 'deadline_exceeded') return warning(id, title, problem.message, problem)
  if (problem !== null) return failedBy(id, title, problem, 'all')
  const started = trial === undefined ? '' : ` A pod of it starts on ${trial.nodes.join(' and ')}.`
  if (programs === undefined && tools !== null) return passed(id, title, image)
  const then =
    programs === undefined
      ? 'When netperf is deployed, it is checked for iperf3 and tcpdump.'
      : `${(programs / 1e6).toFixed(1)} MB of this machine’s programs are put into each pod.`
  return passed(id, title, `${image}.${started} ${then}`)
}

function toolCheck(id: string, title: string, tool: keyof ToolsSeen, seen: ToolsSeen, image: string): Check {
  const blocks: Capability = tool === 'iperf3' ? 'iperf3' : 'capture'
  const found = seen[tool]
  if (typeof found === 'string') return passed(id, title, `${tool} ${found}`)
  if (found.code !== 'tool_missing') return warning(id, title, found.detail ?? found.message, found)
  const remedy = `Build an image that has it, as in manifests/netperf-image, set EXPRESSLANE_NETPERF_IMAGE to it, and deploy new pods.`
  return failed(id, title, `${tool} is not in the image ${image}.`, { remedy }, [blocks])
}

/** @param tools null if nothing is deployed, which skips the check */
export function iperf3Check(image: string, tools: ToolsSeen | null): Check[] {
  return tools === null ? [] : [toolCheck('iperf3', 'iperf3 is in the image', 'iperf3', tools, image)]
}

/** A capture needs a pod in the node's network with CAP_NET_RAW and tcpdump. @param tools as with {@link iperf3Check} */
export function captureCheck(
  name: string,
  namespace: V1Namespace | null,
  image: string,
  tools: ToolsSeen | null,
): Check[] {
  const id = 'capture'
  const title = "Packets can be captured on the nodes' devices"
  const level = levelOf(namespace)
  if (level !== null) {
    const remedy = "A capture pod runs in the node's network with CAP_NET_RAW. Allow such pods in the namespace."
    const seen = `${name} enforces Pod Security "${level}", which forbids capture pods.`
    return [failed(id, title, seen, { remedy, remedyCommand: takeAnyPod(name) }, ['capture'])]
  }
  return tools === null ? [] : [toolCheck(id, title, 'tcpdump', tools, image)]
}
