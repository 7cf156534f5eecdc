/** Reads the datapath's three layers: the requested settings, the agents' reports and the kernel. */
import type { AgentReport, DatapathState, Reading } from '@expresslane/shared/testbed/reading'
import type { Placement, Pod, Role } from '@expresslane/shared/testbed/placement'
import { epochMs } from '@expresslane/shared/base/units'
import { linkShowArgv, parseNumberedLinks, type NumberedLink } from '../../../tools/ip-link.ts'
import { steadyTime } from '../../../time.ts'
import { asPrimitives } from '../../cilium-key.ts'
import type { CallContext } from '../../testbed.ts'
import { agentOf, askAgents, listAgents, type AgentAnswer } from './agents.ts'
import type { ExecTarget } from '../exec/exec.ts'
import { listNodes } from './gather.ts'
import { nameOf } from '../api/nodes.ts'
import { overriddenBy, readOverrides, readSettings, type Override, type StoredSettings } from './settings.ts'
import { reportedBy } from './taken.ts'
import { attempt, type Attempt } from './unread.ts'
import { readWorkload, type WorkloadParts } from '../workload/workload.ts'

/** A pod's one device of the cluster network, by the name that every CNI plugin gets for it. */
const POD_DEVICE = 'eth0'

type Unread = DatapathState['unread'][number]

/** The devices of a pod of the workload; null for a pod on the host's network, which has no own devices. */
export type PodLinks = Attempt<readonly NumberedLink[]> | null

export interface PathWords {
  readonly placement: Placement | null
  readonly pods: Readonly<Record<Role, PodLinks>>
  readonly answers: readonly AgentAnswer[]
}

interface Part {
  readonly kernel: readonly Reading[]
  readonly unread: readonly Unread[]
}

const none: Part = { kernel: [], unread: [] }

function join(...parts: readonly Part[]): Part {
  return { kernel: parts.flatMap(({ kernel }) => kernel), unread: parts.flatMap(({ unread }) => unread) }
}

function missing(where: string, reason: string): Part {
  return { kernel: [], unread: [{ where, reason }] }
}

/** The devices that Cilium attaches to, which a switch changes at once. */
function nativePart({ node, status, links, reason }: AgentAnswer): Part {
  if (status === null || links === null) return missing(node, reason ?? 'its agent reports nothing')
  if (status.devices === null) return missing(node, 'its agent does not report its native devices')
  return join(
    ...status.devices.map((name): Part => {
      const found = links.find(({ link }) => link.device === name)
      if (found === undefined) return missing(node, `its agent lists device ${name}, but ip does not show it`)
      return { kernel: [{ ...found.link, where: node, node, role: 'node', native: true }], unread: [] }
    }),
  )
}

/** The node's end of a pod's veth pair, by the peer number of the pod's end. */
function lxcPart(pod: Pod, end: NumberedLink, answers: readonly AgentAnswer[]): Part {
  const { node, name } = pod
  const links = answers.find((answer) => answer.node === node)?.links ?? null
  // The reason is reported once, with the native devices of the node.
  if (links === null) return none
  const found = links.find(({ index }) => index !== null && index === end.peerIndex)
  if (found === undefined) return missing(node, `its end of the veth pair of ${name} is not among its devices`)
  return { kernel: [{ ...found.link, where: node, node, role: 'node', native: false }], unread: [] }
}

interface PodPart {
  readonly own: Part
  readonly lxc: Part
}

function podPart(pod: Pod, links: PodLinks, answers: readonly AgentAnswer[]): PodPart {
  if (links === null) return { own: none, lxc: none }
  if (links.value === null) return { own: missing(pod.name, links.reason), lxc: none }
  const end = links.value.find(({ link }) => link.device === POD_DEVICE)
  if (end === undefined) return { own: missing(pod.name, `it has no device ${POD_DEVICE}`), lxc: none }
  const own: Reading = { ...end.link, where: pod.name, node: pod.node, role: 'pod', native: false }
  return { own: { kernel: [own], unread: [] }, lxc: lxcPart(pod, end, answers) }
}

function nodePart(node: string, answers: readonly AgentAnswer[]): Part {
  const answer = answers.find((one) => one.node === node)
  return answer === undefined ? missing(node, 'the node is no longer in the cluster') : nativePart(answer)
}

/**
 * Every device in the order of the path from the first pod to the last, then the other nodes' native devices, which
 * switching changes too. Two pods on one node reach each other without its native device.
 */
export function toPath({ placement, pods, answers }: PathWords): Part {
  if (placement === null) return join(...answers.map(nativePart))
  const crossed: string[] = []
  const on: Part[] = []
  for (const [index, pod] of placement.pods.entries()) {
    const { own, lxc } = podPart(pod, pods[pod.role] ?? null, answers)
    const before = placement.pods[index - 1]
    if (before === undefined) {
      on.push(own, lxc)
      continue
    }
    const between = before.node === pod.node ? [] : [before.node, pod.node].filter((node) => !crossed.includes(node))
    for (const one of between) crossed.push(one)
    for (const node of between) on.push(nodePart(node, answers))
    on.push(lxc, own)
  }
  return join(...on, ...answers.filter(({ node }) => !crossed.includes(node)).map(nativePart))
}

/** The report of one agent. */
export function toReport(
  answer: AgentAnswer,
  overrides: readonly Override[],
  { intended, keys }: StoredSettings,
): AgentReport {
  const { node, status, reason } = answer
  const reported = status === null ? {} : reportedBy(status, keys)
  const silent = keys.find(({ key, required }) => required !== undefined && (reported[key] ?? null) === null)
  const unreadable = status === null ? (reason ?? 'it reports nothing') : (silent?.required?.silence ?? null)
  return {
    node,
    // The agent's setting can be less than requested.
    settings: unreadable === null ? asPrimitives(reported) : null,
    overriddenBy: overriddenBy(overrides, node, intended),
    maxGso: status?.maxGso ?? { ipv4: null, ipv6: null },
    unreadable,
  }
}

/**
 * Reads all three layers, including counters: four requests to the API server at once, then an exec per node and per
 * pod. Unreadable parts are listed in `unread` or in their agent's report.
 *
 * @param asked recent answers of agents, which are not asked again if they still run
 * @throws LabError `testbed_unavailable` without Cilium; `cluster_unreachable`, `cluster_unauthorized`;
 * `cluster_forbidden` without permission to read the ConfigMap, the nodes or the agents' pods; `signal.reason`
 */
export async function readPath(
  parts: WorkloadParts,
  context: CallContext,
  asked: readonly AgentAnswer[] = [],
): Promise<DatapathState> {
  const { cluster, console } = parts
  const { signal } = context
  const [settings, nodes, agents, workload] = await Promise.all([
    readSettings(cluster, signal),
    listNodes(cluster, signal),
    listAgents(cluster, signal),
    attempt(cluster, signal, () => readWorkload(parts, signal)),
  ])
  const placement = workload.value?.placement ?? null
  const linksOf = async (at: ExecTarget): Promise<PodLinks> => {
    if (placement?.variant === 'host-network') return null
    return attempt(cluster, signal, async () => {
      const lines = await console.run({ at, argv: linkShowArgv(POD_DEVICE) }, context)
      return parseNumberedLinks(lines.join('\n'))
    })
  }
  const names = nodes.map(nameOf)
  const known = asked.filter(({ node, uid }) => uid !== null && agentOf(node, agents)?.metadata?.uid === uid)
  const rest = names.filter((name) => !known.some(({ node }) => node === name))
  const [overrides, fresh, pods] = await Promise.all([
    attempt(cluster, signal, () => readOverrides(cluster, nodes, signal)),
    askAgents(parts, rest, agents, context),
    Promise.all(
      [...(workload.value?.pods ?? [])].map(async ([role, at]): Promise<[Role, PodLinks]> => [role, await linksOf(at)]),
    ),
  ])
  const answers = names.flatMap((name) => [...known, ...fresh].find(({ node }) => node === name) ?? [])
  const path = toPath({ placement, pods: Object.fromEntries(pods), answers })
  const unread = [
    ...path.unread,
    ...(workload.reason === null ? [] : [{ where: `namespace ${parts.namespace}`, reason: workload.reason }]),
    ...(overrides.reason === null ? [] : [{ where: 'CiliumNodeConfigs', reason: overrides.reason }]),
  ]
  return {
    at: epochMs.parse(steadyTime.now()),
    settings: asPrimitives(settings.intended),
    agents: answers.map((answer) => toReport(answer, overrides.value ?? [], settings)),
    kernel: [...path.kernel],
    unread,
    carried: {},
    hooks: [],
    placement,
  }
}
