/** Detects when the datapath can have changed, with almost no requests while it does not. */
import type { KubernetesObject, V1ConfigMap, V1Pod } from '@kubernetes/client-node'
import type { CallContext } from '../../testbed.ts'
import { AGENT_LABEL, agentTarget, workloadTarget } from './agents.ts'
import type { Cluster } from '../api/cluster.ts'
import { watchDevices } from './device-loop.ts'
import type { ExecTarget } from '../exec/exec.ts'
import { createNews, type News } from './news.ts'
import { CONFIG_MAP, SYSTEM_NAMESPACE } from '../api/permissions.ts'
import { SELECTOR } from '../workload/pods.ts'
import type { Reaper } from '../exec/reap.ts'
import { isReady, uidOf } from '../api/pod.ts'
import { toSettings } from './settings.ts'
import { watchObjects, type WatchTarget } from '../api/watch.ts'

export interface ChangesParts {
  readonly cluster: Cluster
  readonly reaper: Reaper
  /** The namespace of the workload. */
  readonly namespace: string
}

/** The parts of a pod that matter for the datapath; other changes of its status do not count. */
export function podNews(pod: V1Pod): string {
  const { metadata, spec, status } = pod
  return JSON.stringify([
    uidOf(pod),
    isReady(pod),
    metadata?.deletionTimestamp !== undefined,
    spec?.nodeName,
    (status?.podIPs ?? []).map(({ ip }) => ip),
  ])
}

/** Runs a loop in each Ready pod, and none in any other pod. */
function createLoops(reaper: Reaper, signal: AbortSignal, news: News) {
  const running = new Map<string, AbortController>()
  const ending = new Set<Promise<void>>()

  function start(uid: string, at: ExecTarget): void {
    const stop = new AbortController()
    running.set(uid, stop)
    const ended = watchDevices(reaper, at, AbortSignal.any([signal, stop.signal]), news.notify)
      .catch(news.fail)
      .finally(() => ending.delete(ended))
    ending.add(ended)
  }

  return {
    keep(pods: readonly V1Pod[], before: ReadonlySet<string>, target: (pod: V1Pod) => ExecTarget): Set<string> {
      const wanted = new Map(pods.filter(isReady).map((pod) => [uidOf(pod), pod]))
      for (const uid of before) {
        if (wanted.has(uid)) continue
        running.get(uid)?.abort()
        running.delete(uid)
      }
      for (const [uid, pod] of wanted) if (!running.has(uid)) start(uid, target(pod))
      return new Set(wanted.keys())
    },
    async ended(): Promise<void> {
      await Promise.all(ending)
    },
  }
}

function podsTarget(namespace: string, labelSelector: string): WatchTarget {
  const permission = { resource: 'pods', namespace }
  return { path: `/api/v1/namespaces/${namespace}/pods`, query: { labelSelector }, permission }
}

const configTarget: WatchTarget = {
  path: `/api/v1/namespaces/${SYSTEM_NAMESPACE}/configmaps`,
  query: { fieldSelector: `metadata.name=${CONFIG_MAP}` },
  permission: { resource: 'configmaps', namespace: SYSTEM_NAMESPACE, name: CONFIG_MAP },
}

/**
 * Yields once at first, and whenever settings, agents, the workload's pods or the sizes of their devices can have
 * changed. It uses three watches, and a loop in each pod that asks the kernel once per second. It ends only by
 * rejecting, and no loop is left then.
 *
 * @throws LabError `cluster_unreachable` if the API server stays away, `cluster_forbidden`; `signal.reason`
 */
export async function* changes(
  { cluster, reaper, namespace }: ChangesParts,
  context: CallContext,
): AsyncGenerator<void, never, void> {
  context.signal.throwIfAborted()
  const stop = new AbortController()
  const signal = AbortSignal.any([context.signal, stop.signal])
  const news = createNews(signal)
  const loops = createLoops(reaper, signal, news)

  /** @returns promises for the first list and for the end */
  function follow<T extends KubernetesObject>(
    target: WatchTarget,
    newsOf: (object: T) => string,
    use: (objects: readonly T[]) => void = () => {},
  ): { readonly first: Promise<void>; readonly ended: Promise<void> } {
    const first = Promise.withResolvers<void>()
    async function run(): Promise<void> {
      let last: string | null = null
      for await (const objects of watchObjects<T>(cluster, target, signal)) {
        use(objects)
        const present = JSON.stringify(objects.map(newsOf).toSorted())
        if (last !== null && present !== last) news.notify()
        last = present
        first.resolve()
      }
    }
    const ended = run().catch((error: unknown) => {
      news.fail(error)
      first.resolve()
    })
    return { first: first.promise, ended }
  }

  function followPods(target: WatchTarget, at: (pod: V1Pod) => ExecTarget): ReturnType<typeof follow> {
    let before: ReadonlySet<string> = new Set()
    return follow<V1Pod>(target, podNews, (pods) => {
      before = loops.keep(pods, before, at)
    })
  }

  const watches = [
    follow<V1ConfigMap>(configTarget, (map) => JSON.stringify(toSettings(map, cluster.keys).raw)),
    followPods(podsTarget(SYSTEM_NAMESPACE, AGENT_LABEL), agentTarget),
    followPods(podsTarget(namespace, SELECTOR), workloadTarget),
  ]
  try {
    // A reading after the first item is not older than the lists that the watches compare with.
    await Promise.all(watches.map(({ first }) => first))
    news.notify()
    for (;;) {
      await news.wait()
      yield
    }
  } finally {
    stop.abort()
    await Promise.all(watches.map(({ ended }) => ended))
    await loops.ended()
  }
}
