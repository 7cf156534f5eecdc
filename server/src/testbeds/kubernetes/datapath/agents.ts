/** Asks each agent for its status, and the kernel of its node for its devices. */
import type { V1Pod } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import { parseCiliumStatus, type CiliumStatus } from '../../../tools/cilium-status.ts'
import { linkShowArgv, parseNumberedLinks, type NumberedLink } from '../../../tools/ip-link.ts'
import type { CallContext } from '../../testbed.ts'
import type { Cluster } from '../api/cluster.ts'
import { kubectlExec, type Console } from '../exec/console.ts'
import { execIn, type ExecTarget } from '../exec/exec.ts'
import { SYSTEM_NAMESPACE } from '../api/permissions.ts'
import { isReady, isUp, uidOf } from '../api/pod.ts'
import { attempt, reasonOf } from './unread.ts'

/** The name of the agent's container in its pod, in all of Cilium's charts. */
export const AGENT_CONTAINER = 'cilium-agent'
export const AGENT_LABEL = 'k8s-app=cilium'
/** Execs at once: each is a socket, and API servers limit requests in flight. */
const AT_ONCE = 10
/** Deadline for the answer of an agent; it takes 50 ms. */
const ANSWER_MS = 10_000

/** The answer of one agent. */
export interface AgentAnswer {
  readonly node: string
  /** Null if its node has none. */
  readonly pod: V1Pod | null
  readonly uid: string | null
  /** Null if it could not be read; `reason` has the cause. */
  readonly status: CiliumStatus | null
  /** The node's devices; null if they could not be read, and `reason` has the cause. */
  readonly links: readonly NumberedLink[] | null
  readonly reason: string | null
}

/** All agents' pods, including ending pods. */
export async function listAgents(cluster: Cluster, signal: AbortSignal): Promise<V1Pod[]> {
  const permission = { verb: 'list', resource: 'pods', namespace: SYSTEM_NAMESPACE }
  const { items } = await cluster.request(permission, signal, (options) =>
    cluster.core.listNamespacedPod({ namespace: SYSTEM_NAMESPACE, labelSelector: AGENT_LABEL }, options),
  )
  return items
}

/** The current agent of a node: not ending, and Ready if any is. */
export function agentOf(node: string, pods: readonly V1Pod[]): V1Pod | null {
  const here = pods.filter(({ metadata, spec }) => spec?.nodeName === node && metadata?.deletionTimestamp === undefined)
  return here.find(isReady) ?? here.at(-1) ?? null
}

/** The first container of a pod of the workload. */
export function workloadTarget(pod: V1Pod): ExecTarget {
  return {
    namespace: pod.metadata?.namespace ?? '',
    pod: pod.metadata?.name ?? '',
    container: pod.spec?.containers[0]?.name ?? '',
    uid: uidOf(pod),
  }
}

export function agentTarget(pod: V1Pod): ExecTarget {
  const image = pod.spec?.containers.find(({ name }) => name === AGENT_CONTAINER)?.image
  return {
    namespace: pod.metadata?.namespace ?? SYSTEM_NAMESPACE,
    pod: pod.metadata?.name ?? '',
    container: AGENT_CONTAINER,
    uid: uidOf(pod),
    ...(image === undefined ? {} : { image }),
  }
}

/**
 * Prints the agent's status, a line `MARK EXITCODE`, and the output of the command after the mark: two answers for one
 * request to the API server. Before 1.15 the program in the agent's image is called `cilium`.
 */
const ASK = `
program=cilium-dbg
command -v "$program" >/dev/null 2>&1 || program=cilium
"$program" status -o json
code=$?
echo
echo "$1 $code"
shift
exec "$@"
`
const MARK = 'expresslane-status'

function askArgv(): string[] {
  return ['sh', '-c', ASK, 'expresslane-ask', MARK, ...linkShowArgv()]
}

/** The same as a person would type it. */
function typedAsk(at: ExecTarget, fields: readonly string[]): string {
  const status = kubectlExec(at, ['cilium-dbg', 'status', '-o', 'json'])
  return `${status} | jq -c '{${fields.map((field) => `"${field}"`).join(', ')}}'\n${kubectlExec(at, linkShowArgv())}`
}

/** The output of the first typed command. */
function typedStatus({ json }: CiliumStatus, fields: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, json[field]])))
}

type Words = Pick<AgentAnswer, 'status' | 'links' | 'reason'>

/**
 * Parses the output of {@link askArgv}.
 *
 * @param lines of stdout
 * @param words of stderr
 * @param code how it exited: as `ip` did
 */
export function readAnswer(lines: readonly string[], words: readonly string[], code: number | null): Words {
  const reasons: string[] = []
  const read = <T>(what: string, failed: boolean, parse: () => T): T | null => {
    try {
      if (!failed) return parse()
      reasons.push(`${what} failed: ${words.join(' ')}`)
    } catch (error) {
      if (!(error instanceof LabError)) throw error
      reasons.push(reasonOf(error))
    }
    return null
  }
  const end = lines.findIndex((line) => line.startsWith(`${MARK} `))
  const before = end < 0 ? lines : lines.slice(0, end)
  const status = read('cilium-dbg status', lines[end] !== `${MARK} 0`, () => parseCiliumStatus(before.join('\n')))
  const after = end < 0 ? [] : lines.slice(end + 1)
  const links = read('ip link', code !== 0, () => parseNumberedLinks(after.join('\n')))
  return { status, links, reason: reasons.length === 0 ? null : reasons.join('; ') }
}

async function ask(cluster: Cluster, console: Console, pod: V1Pod, context: CallContext): Promise<Words> {
  const at = agentTarget(pod)
  const fields = cluster.keys.flatMap(({ required }) => required?.field ?? [])
  return console.showAs(typedAsk(at, fields), context, async (print) => {
    const lines: string[] = []
    const words: string[] = []
    let code: number | null = null
    // The command only reads and ends at once, so nothing is left running after an abort.
    for await (const item of execIn(cluster, at, askArgv(), { signal: context.signal, deadlineMs: ANSWER_MS })) {
      if (item.type === 'exit') code = item.code
      else (item.stream === 'stdout' ? lines : words).push(item.text)
    }
    const answer = readAnswer(lines, words, code)
    if (answer.status !== null) print(typedStatus(answer.status, fields))
    for (const line of lines.slice(lines.findIndex((one) => one.startsWith(`${MARK} `)) + 1)) print(line)
    return answer
  })
}

const nothing = { status: null, links: null }

/**
 * Asks the agent of each node, in one exec per node. An agent that can't be asked has a `reason`; nothing rejects.
 *
 * @param pods all agents' pods
 * @returns one answer per node, in the nodes' order
 * @throws LabError `cluster_unreachable` while the API server is away; `signal.reason` once aborted
 */
export async function askAgents(
  { cluster, console }: { readonly cluster: Cluster; readonly console: Console },
  nodes: readonly string[],
  pods: readonly V1Pod[],
  context: CallContext,
): Promise<AgentAnswer[]> {
  async function answerOf(node: string): Promise<AgentAnswer> {
    const pod = agentOf(node, pods)
    if (pod === null) return { ...nothing, node, pod, uid: null, reason: 'no Cilium agent runs there' }
    const known = { node, pod, uid: uidOf(pod) }
    if (!isUp(pod)) return { ...nothing, ...known, reason: `its agent ${pod.metadata?.name ?? ''} is not ready` }
    const { value, reason } = await attempt(cluster, context.signal, () => ask(cluster, console, pod, context))
    return { ...known, ...(value ?? { ...nothing, reason }) }
  }

  const answers: AgentAnswer[] = []
  const waiting = [...nodes.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      answers[next[0]] = await answerOf(next[1])
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, nodes.length) }, work))
  return answers
}
