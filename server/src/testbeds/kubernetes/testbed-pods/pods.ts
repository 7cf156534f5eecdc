/** The pods of testbeds: each is found again by its label, replaced when it ends, and deleted when it is unused. */
import { setTimeout as delay } from 'node:timers/promises'
import { LabError } from '@expresslane/shared/base/errors'
import { connectAgent } from '../../agent/connect.ts'
import type { Say } from '../../agent/opened.ts'
import type { Place } from '../../agent/place.ts'
import type { Cluster } from '../api/cluster.ts'
import { createLine, type Line } from './line.ts'
import { createPodApi, digestOf, type PodApi, type Template } from './pod-api.ts'
import {
  canRun,
  goneError,
  hasNoNode,
  isLost,
  isOf,
  isRunning,
  notReadyError,
  TESTBED,
  waitsFor,
  type TestbedPod,
} from './pod-state.ts'
import { openPodWire } from './pod-wire.ts'

/** In the server's image, which is the pods' image, too. */
const TOOL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

export interface TestbedPodsOptions {
  readonly cluster: Cluster
  readonly namespace: string
  /** How long a pod may wait for its node and its image, in milliseconds. */
  readonly readyMs: number
  /** How long the agent's greeting may take, in milliseconds. */
  readonly connectMs: number
  /** After how long without use a pod is deleted, in milliseconds. */
  readonly unusedMs: number
  /** The same for pods that an earlier server left. */
  readonly foundUnusedMs: number
}

export interface TestbedPods {
  /**
   * Connects to the testbed's pod; makes one if there is none that runs. The connection's end ends everything in the pod, and
   * not the pod.
   *
   * @param testbed its id
   * @param say called with the scheduler's and the kubelet's words, each once in a row
   * @throws LabError `testbed_unavailable` with the scheduler's or the kubelet's words; the errors of the API server;
   *   `signal.reason`
   */
  open(testbed: string, signal: AbortSignal, say: Say): Promise<Place>
  /** Deletes the testbed's pods after {@link TestbedPodsOptions.unusedMs}, unless one is in use by then. */
  leave(testbed: string): void
  /** Finds the pods that an earlier server left, which are deleted unless they are used. @throws the errors of the API server */
  adopt(signal: AbortSignal): Promise<void>
}

/** Seconds without a word after which a connection counts as cut: a node that has too much to do answers late. */
const MOST_SILENCE = 60
/** How many pods are made for one that runs. */
const MOST_MADE = 3
/** How long the API server may take to say why a pod ended, and to delete one, in milliseconds. */
const ANSWER_MS = 10_000
/** A kubelet reports why a pod ended about a second after it has. */
const REPORT_MS = 5_000
const LOOK_MS = 500
/** Between two attempts to delete a pod. */
const AGAIN_MS = 60_000

/** Deletes pods that are not in use, after a while. */
function createRemoval(api: PodApi, uses: ReadonlyMap<string, number>) {
  const timers = new Map<string, NodeJS.Timeout>()
  const removing = new Map<string, Promise<void>>()

  async function remove(testbed: string): Promise<void> {
    timers.delete(testbed)
    if (uses.has(testbed)) return
    const signal = AbortSignal.timeout(ANSWER_MS)
    try {
      for (const pod of await api.list(testbed, signal)) if (!uses.has(testbed)) await api.remove(pod, signal)
    } catch {
      after(testbed, AGAIN_MS)
    }
  }

  function after(testbed: string, ms: number): void {
    clearTimeout(timers.get(testbed))
    const start = (): void => {
      removing.set(
        testbed,
        remove(testbed).finally(() => removing.delete(testbed)),
      )
    }
    // The next server finds a pod that is not deleted by then.
    timers.set(testbed, setTimeout(start, ms).unref())
  }

  return {
    after,
    /** Deletes nothing of this testbed from now on; waits for a deletion that is under way. */
    async stop(testbed: string): Promise<void> {
      clearTimeout(timers.get(testbed))
      timers.delete(testbed)
      await removing.get(testbed)
    },
  }
}

/** Says why a pod does not run yet, each reason once in a row, with the place in line while it has no node. */
function createWaiting(line: Line, say: Say) {
  let [why, place] = ['', 0]
  let leave: (() => void) | null = null
  const tell = (): void => say(place === 0 ? why : `Place ${place} in line for a node. ${why}`)

  function end(): void {
    leave?.()
    leave = null
    place = 0
  }

  return {
    /** The last reason. */
    get why() {
      return why
    },
    show(pod: TestbedPod): void {
      const isNew = why !== waitsFor(pod)
      why = waitsFor(pod)
      if (!hasNoNode(pod)) end()
      if (hasNoNode(pod) && leave === null) {
        leave = line.join((number) => {
          place = number
          tell()
        })
      } else if (isNew) tell()
    },
    [Symbol.dispose]: end,
  }
}

export function createTestbedPods(options: TestbedPodsOptions): TestbedPods {
  const { cluster, namespace, readyMs, connectMs, unusedMs, foundUnusedMs } = options
  const api = createPodApi(cluster, namespace)
  /** By testbed: how many connections it has, or begins to have. */
  const uses = new Map<string, number>()
  const removal = createRemoval(api, uses)
  const line = createLine()

  function use(testbed: string, change: 1 | -1): void {
    const count = (uses.get(testbed) ?? 0) + change
    if (count > 0) uses.set(testbed, count)
    else uses.delete(testbed)
  }

  /** The testbed's pod once it runs. Pods that can't run any more, and those of an older template, are replaced. */
  async function* starting(testbed: string, template: Template, signal: AbortSignal): AsyncGenerator<TestbedPod> {
    let [made, uid] = [0, '']
    for await (const all of api.follow(testbed, signal)) {
      const old = all.filter((pod) => !isOf(pod, template.digest) || isLost(pod))
      for (const pod of old) if (canRun(pod)) await api.remove(pod, signal)
      const found = all.filter((pod) => !old.includes(pod))
      const pod = found.find(isRunning) ?? found.find(canRun)
      if (pod !== undefined) yield pod
      else if (uid === '' || found.some(({ metadata }) => metadata.uid === uid)) {
        // Pods that end at once are not made without end.
        if (made === MOST_MADE) throw goneError(found.at(-1) ?? null, '')
        made += 1
        uid = await api.make(testbed, template, signal)
      }
    }
  }

  async function running(testbed: string, signal: AbortSignal, say: Say): Promise<TestbedPod> {
    const deadline = AbortSignal.timeout(readyMs)
    using waiting = createWaiting(line, say)
    try {
      const template = await api.template(signal)
      for await (const pod of starting(testbed, template, AbortSignal.any([signal, deadline]))) {
        if (isRunning(pod)) return pod
        waiting.show(pod)
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!deadline.aborted) throw error
    }
    throw notReadyError(waiting.why, readyMs / 1000, namespace)
  }

  /** Why a pod is not to be reached any more. Never rejects. */
  async function whyGone(testbed: string, { metadata: { uid } }: TestbedPod, detail: string): Promise<LabError> {
    const until = performance.now() + REPORT_MS
    try {
      for (;;) {
        const found = await api.list(testbed, AbortSignal.timeout(ANSWER_MS))
        const pod = found.find(({ metadata }) => metadata.uid === uid) ?? null
        if (pod === null || !isRunning(pod) || performance.now() > until) return goneError(pod, detail)
        await delay(LOOK_MS)
      }
    } catch (cause) {
      const words = cause instanceof LabError ? `${cause.message}\n${detail}` : detail
      return goneError(undefined, words)
    }
  }

  async function connect(testbed: string, signal: AbortSignal, say: Say): Promise<Place> {
    const pod = await running(testbed, signal, say)
    const [{ name: container }] = pod.spec.containers
    const { name, uid } = pod.metadata
    const gone = (detail: string): Promise<LabError> => whyGone(testbed, pod, detail)
    const at = { namespace, pod: name, uid, container }
    const wire = await openPodWire(cluster, { at, mostSilence: MOST_SILENCE, gone }, signal)
    const agent = await connectAgent(wire, { connectMs, mostSilence: MOST_SILENCE }, signal)
    return { ...agent, name: wire.name, toolPath: TOOL_PATH, busy: () => () => {}, goOn: () => {}, close: wire.close }
  }

  return {
    async open(id, signal, say) {
      const testbed = digestOf(id)
      use(testbed, 1)
      try {
        await removal.stop(testbed)
        const place = await connect(testbed, signal, say)
        place.gone.addEventListener('abort', () => use(testbed, -1), { once: true })
        return place
      } catch (error) {
        use(testbed, -1)
        throw error
      }
    },
    leave: (id) => removal.after(digestOf(id), unusedMs),
    async adopt(signal) {
      const found = await api.list(null, signal)
      for (const { metadata } of found) removal.after(metadata.labels[TESTBED] ?? '', foundUnusedMs)
    },
  }
}
