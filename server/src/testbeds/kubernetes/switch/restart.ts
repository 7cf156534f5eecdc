/** Restarts the agents as `cilium config set` does, and waits for them, which it does not. */
import type { CoreV1Event, V1Pod } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import type { CallContext } from '../../testbed.ts'
import { AGENT_LABEL as AGENTS } from '../datapath/agents.ts'
import type { Cluster } from '../api/cluster.ts'
import type { Console } from '../exec/console.ts'
import { hasStatus } from '../api/errors.ts'
import type { Held } from '../lease/lease.ts'
import { patient } from '../api/patience.ts'
import { SYSTEM_NAMESPACE as namespace } from '../api/permissions.ts'
import { blamesApiServer, refused, wordsOfEnded } from './refusal.ts'
import { uidOf } from '../api/pod.ts'
import { describeNode, readRollout, type NodeRollout, type Rollout } from './rollout.ts'
import { watchObjects } from '../api/watch.ts'

/** Cilium's own `status --wait` gives five minutes to a whole installation; a restart takes ten seconds. */
const DEADLINE_MS = 180_000

export interface RestartParts {
  readonly cluster: Cluster
  readonly console: Console
}

/**
 * Asks an agent that has become Ready.
 *
 * @param report is called with the obstacle that is left
 * @returns its answer, for people
 * @throws LabError the agent's fault
 */
export type Judge = (pod: V1Pod, node: string, report: (words: string) => void, context: CallContext) => Promise<string>

/** The agents that a restart replaces. */
export interface Replaced {
  /** UIDs of the agents' pods that are to go. */
  readonly old: ReadonlySet<string>
  /** The nodes that had an agent. */
  readonly nodes: readonly string[]
}

/**
 * Deletes these pods at once, each only if it still has the same UID.
 *
 * @param typed the command that a person would type
 */
export async function deletePods(
  { cluster, console }: RestartParts,
  pods: readonly V1Pod[],
  typed: string,
  held: Held,
  context: CallContext,
): Promise<void> {
  const remove = async (pod: V1Pod): Promise<void> => {
    const body = { preconditions: { uid: uidOf(pod) } }
    try {
      await cluster.request({ verb: 'delete', resource: 'pods', namespace }, context.signal, (options) =>
        cluster.core.deleteNamespacedPod({ name: pod.metadata?.name ?? '', namespace, body }, options),
      )
    } catch (error) {
      // The pod is already gone, and another pod can have its name: nothing is left to do.
      const gone = hasStatus(error, 409) || (error instanceof LabError && error.code === 'not_found')
      if (!gone) throw error
    }
  }
  await held.confirm(context)
  await console.showAs(typed, context, () => Promise.all(pods.map((pod) => patient(context, () => remove(pod)))))
}

/** These pods, as the agents that a restart replaces. */
export function replacedBy(pods: readonly V1Pod[]): Replaced {
  return { old: new Set(pods.map(uidOf)), nodes: pods.flatMap(({ spec }) => spec?.nodeName ?? []) }
}

async function desiredAgents({ cluster }: RestartParts, context: CallContext): Promise<number> {
  const permission = { verb: 'get', resource: 'daemonsets', group: 'apps', name: 'cilium', namespace }
  const { status } = await patient(context, () =>
    cluster.request(permission, context.signal, (options) =>
      cluster.apps.readNamespacedDaemonSet({ name: 'cilium', namespace }, options),
    ),
  )
  return status?.desiredNumberScheduled ?? 0
}

/** Events of the kubelet and the scheduler for a pod, the newest first. */
async function eventsOf({ cluster }: RestartParts, pod: V1Pod, signal: AbortSignal): Promise<string[]> {
  const fieldSelector = `involvedObject.uid=${uidOf(pod)}`
  const when = ({ lastTimestamp, eventTime }: CoreV1Event): number =>
    new Date(lastTimestamp ?? eventTime ?? 0).getTime()
  try {
    const { items } = await cluster.request({ verb: 'list', resource: 'events', namespace }, signal, (options) =>
      cluster.core.listNamespacedEvent({ namespace, fieldSelector }, options),
    )
    const recent = items.toSorted((a, b) => when(b) - when(a)).slice(0, 3)
    return recent.map(({ reason, message }) => `  ${reason}: ${message}`)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof LabError) return [`  its events could not be read: ${error.message}`]
    throw error
  }
}

function conditionsOf({ status }: V1Pod): string[] {
  const unmet = status?.conditions?.filter(({ status: value }) => value !== 'True') ?? []
  return unmet.map(
    ({ type, reason, message }) => `  ${type} is not true: ${[reason, message].filter(Boolean).join(', ')}`,
  )
}

async function late(parts: RestartParts, rollout: Rollout | null, ms: number, context: CallContext): Promise<LabError> {
  const missing = rollout?.nodes.filter(({ phase }) => phase.is !== 'ready') ?? []
  const details = await Promise.all(
    missing.slice(0, 5).map(async (one) => {
      const words =
        one.pod === null ? [] : [...conditionsOf(one.pod), ...(await eventsOf(parts, one.pod, context.signal))]
      return [`${one.node}: ${describeNode(one)}`, ...words].join('\n')
    }),
  )
  const which = missing.length === 0 ? 'some' : missing.map(({ node }) => node).join(', ')
  return new LabError(
    'deadline_exceeded',
    `The Cilium agents were not ready again within ${ms / 1000} s; missing: ${which}.`,
    'Check the pods of these agents, then run the step again.',
    { detail: details.join('\n'), remedyCommand: `kubectl -n ${namespace} get pods -l ${AGENTS} -o wide` },
  )
}

interface AwaitOptions {
  readonly deadlineMs?: number
  /** Called as soon as no old agent is left, whether the new agents are Ready or not. */
  readonly replaced?: () => void
}

/**
 * Waits until every node with an old agent, and every node that should have an agent, has a new Ready agent, and `judge`
 * accepts it. Agents are checked at the same time, as soon as they are Ready.
 *
 * @throws LabError errors of `judge`; `agent_refused` as soon as an agent exits; `deadline_exceeded` with the missing
 * agents; `cluster_unreachable`; `signal.reason`
 */
export async function awaitAgents(
  parts: RestartParts,
  { old, nodes }: Replaced,
  judge: Judge,
  context: CallContext,
  { deadlineMs = DEADLINE_MS, replaced = () => {} }: AwaitOptions = {},
): Promise<void> {
  const { cluster } = parts
  const stop = new AbortController()
  const inner: CallContext = { emit: context.emit, signal: AbortSignal.any([context.signal, stop.signal]) }
  const tooLate = new Error('the agents took too long')
  const timer = setTimeout(() => stop.abort(tooLate), deadlineMs)
  /** By UID: the results of the checks of Ready agents. */
  const asked = new Map<string, Promise<void>>()
  const answers = new Map<string, string>()
  const looked = new Set<string>()
  const looking = new Set<Promise<void>>()
  const said = new Map<string, string>()
  let rollout: Rollout | null = null

  function report(node: string, message: string): void {
    if (said.get(node) === message) return
    said.set(node, message)
    const all = rollout?.nodes ?? []
    const done = all.filter(({ pod }) => pod !== null && answers.has(uidOf(pod))).length
    context.emit({ type: 'progress', subject: node, message, done, total: Math.max(1, all.length) })
  }

  /** Runs beside the watch; an error ends the wait. */
  function beside(work: () => Promise<void>): Promise<void> {
    const going = work().catch((error: unknown) => stop.abort(error))
    looking.add(going)
    return going
  }

  async function ask(pod: V1Pod, node: string): Promise<void> {
    const inTheWay = (words: string): void => report(node, `ready, but not healthy yet: ${words}`)
    const answer = await judge(pod, node, inTheWay, inner)
    answers.set(uidOf(pod), answer)
    report(node, `ready, ${answer}`)
  }

  async function look({ node, pod, phase }: NodeRollout): Promise<void> {
    if (pod === null || phase.is !== 'ended') return
    const words = await patient(inner, () => wordsOfEnded(cluster, pod, phase.ended, inner.signal))
    if (!blamesApiServer(words, cluster.keys)) throw refused(node, phase.ended, words, cluster.keys)
  }

  function follow(one: NodeRollout): void {
    const { node, pod, phase } = one
    if (pod !== null && phase.is === 'ready') {
      const uid = uidOf(pod)
      if (!asked.has(uid))
        asked.set(
          uid,
          beside(() => ask(pod, node)),
        )
      if (answers.has(uid)) return
    }
    if (phase.is === 'ended' && !looked.has(phase.ended.id)) {
      looked.add(phase.ended.id)
      void beside(() => look(one))
    }
    report(node, describeNode(one))
  }

  const target = {
    path: `/api/v1/namespaces/${namespace}/pods`,
    query: { labelSelector: AGENTS },
    permission: { resource: 'pods', namespace },
  }
  try {
    for await (const pods of watchObjects<V1Pod>(cluster, target, inner.signal)) {
      const present = readRollout(pods, old, nodes)
      rollout = present
      if (present.noneLeft) replaced()
      for (const one of present.nodes) follow(one)
      if (!present.complete) continue
      const [desired] = await Promise.all([desiredAgents(parts, inner), ...asked.values()])
      inner.signal.throwIfAborted()
      if (present.nodes.length >= desired) return
    }
  } catch (error) {
    context.signal.throwIfAborted()
    throw error === tooLate || stop.signal.reason === tooLate ? await late(parts, rollout, deadlineMs, context) : error
  } finally {
    clearTimeout(timer)
    stop.abort()
    await Promise.all(looking)
  }
}
