/** The testbed on a Kubernetes cluster that runs Cilium, by one context of the kubeconfig. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Role } from '@expresslane/shared/testbed/placement'
import { BACKEND_POD, OUTSIDE, exposedRoles } from '@expresslane/shared/testbed/exposed'
import { LabError } from '@expresslane/shared/base/errors'
import { keyValues, type CiliumKey } from '../cilium-key.ts'
import type { ClusterChecks } from '../cluster-view.ts'
import { createLock } from '../lock.ts'
import { placeOf, type Target, type ExecOutput } from '../target.ts'
import type { CallContext, Testbed } from '../testbed.ts'
import { agentOf, agentTarget, listAgents } from './datapath/agents.ts'
import { captureOn } from './workload/capture.ts'
import { changes } from './datapath/changes.ts'
import { createCluster } from './api/cluster.ts'
import { createConsole } from './exec/console.ts'
import { createOutside, NO_OUTSIDE, type OutsideMachine, type OutsideOptions } from './exec/outside.ts'
import { createFacts } from './facts/facts.ts'
import { readIncarnation } from './datapath/gather.ts'
import { newIdentity } from './lease/holder.ts'
import { inContainer } from './api/contexts.ts'
import { openContext } from './api/kubeconfig.ts'
import { readPath } from './datapath/path.ts'
import { preflight } from './preflight/preflight.ts'
import { createResources } from './facts/resources.ts'
import { createReaper } from './exec/reap.ts'
import { createPodTerminals, type PodPlaces } from './exec/terminals.ts'
import { createPodPrograms } from './programs/pod-programs.ts'
import type { ProgramsMachine } from '../programs/pack.ts'
import { primitives } from './primitives.ts'
import { setDatapath, type SwitchParts } from './switch/switch.ts'
import { trySettings } from './switch/try-settings.ts'
import { switchAndDeploy } from './switch/switch-and-deploy.ts'
import {
  deployWorkload,
  readWorkload,
  removeWorkload,
  requirePods,
  untilGone,
  type WorkloadParts,
} from './workload/workload.ts'
import { manifestRoles, podIn, type PodRef } from './workload/pods.ts'

export interface KubernetesOptions {
  /** The environment variables that locate the kubeconfig. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Null if none was chosen. */
  readonly context: string | null
  /** The workload's own. */
  readonly namespace: string
  /** The workload's. */
  readonly image: string
  /** This machine, whose programs are put into the pods. Missing if the image has them. */
  readonly machine?: ProgramsMachine
  /** After which time the cluster ends the workload's pods. */
  readonly podSeconds: number
  /** The keys of Cilium's ConfigMap that are switched. */
  readonly keys: readonly CiliumKey[]
  /** The checks of features in a preflight. @defaultValue none */
  readonly checks?: readonly ClusterChecks[]
  /** Runs commands on a machine outside of the cluster. @defaultValue there is no such machine */
  readonly outside?: OutsideOptions
}

/** Time limit for a command in milliseconds, above the longest repeat of 120 s. */
const EXEC_MS = 300_000

/** Time limit for cleaning up on the cluster when the testbed closes, in milliseconds. */
const CLOSE_MS = 1_500

function noPods(): LabError {
  return new LabError(
    'step_not_ready',
    'There are no netperf pods on the cluster.',
    'If the lab has a Deploy step, run it first. Otherwise run this step again.',
  )
}

function noRights(): LabError {
  return new LabError(
    'bad_request',
    'Commands in pods have the rights of their container only.',
    'Run this lab on this machine.',
  )
}

function closedError(): LabError {
  return new LabError('testbed_gone', 'The connection to the cluster was closed.', 'Run the step again.')
}

async function nodeTarget({ cluster }: WorkloadParts, node: string, signal: AbortSignal) {
  const agents = await listAgents(cluster, signal)
  const agent = agentOf(node, agents)
  if (agent !== null) return agentTarget(agent)
  const known = agents.flatMap(({ spec }) => spec?.nodeName ?? []).join(', ')
  throw new LabError('not_found', `No Cilium agent runs on node ${node}.`, `Agents run on ${known}.`)
}

/** Aborts when a pod of the workload is gone: a command in another pod would wait for it forever. */
function watchPods(parts: WorkloadParts, pods: readonly PodRef[], signal: AbortSignal): AbortSignal {
  const gone = new AbortController()
  untilGone(parts, pods, signal).then(
    (error) => gone.abort(error),
    // Whether the pods still exist is unknown; a running command reports its own end.
    () => {},
  )
  return gone.signal
}

/** Runs a command in a pod of the workload, or outside of the cluster, while the workload's pods exist. */
async function* execFrom(
  { outside, ...parts }: SwitchParts & { readonly outside: OutsideMachine },
  role: Role,
  argv: readonly string[],
  { emit, signal }: CallContext,
): AsyncGenerator<ExecOutput, void, void> {
  const { console, programs } = parts
  const workload = await readWorkload(parts, signal)
  if (workload === null) throw noPods()
  const over = new AbortController()
  const at = role === OUTSIDE ? null : podIn(workload, role)
  const pods = [...workload.pods.values()]
  const gone = watchPods(parts, pods, AbortSignal.any([signal, over.signal]))
  try {
    const within = { emit, signal: AbortSignal.any([signal, gone]) }
    if (at !== null) await programs?.ensure(at, within)
    const output =
      at === null ? outside.stream(argv, EXEC_MS, within) : console.stream({ at, argv, deadlineMs: EXEC_MS }, within)
    for await (const item of output) {
      // The reset connection of a removed pod can end its caller before the watch reports the removal.
      if (item.type === 'exit' && item.code !== 0) await requirePods(parts, pods, within.signal)
      yield item
    }
  } finally {
    over.abort()
  }
}

/** Finds the pod of a terminal. */
function placeIn(parts: WorkloadParts, bound: (context: CallContext) => CallContext): PodPlaces['target'] {
  return async (place, context) => {
    const role = manifestRoles.find((one) => one === place)
    if (role === undefined) {
      throw new LabError(
        'not_found',
        `The testbed has no place ${place}.`,
        `Its places are ${manifestRoles.join(', ')}.`,
      )
    }
    const inner = bound(context)
    const workload = await readWorkload(parts, inner.signal)
    if (workload === null) throw noPods()
    const at = podIn(workload, role)
    await parts.programs?.ensure(at, inner)
    return at
  }
}

/**
 * Sends nothing to the cluster until a method is called.
 *
 * @throws LabError `kubeconfig_invalid`, `context_not_chosen`
 */
export function createKubernetesTestbed(options: KubernetesOptions): Testbed {
  const { env, context: name, namespace, image, machine, podSeconds, keys } = options
  const cluster = createCluster(openContext(env, name), { keys, isContained: inContainer(env) })
  const reaper = createReaper(cluster, namespace)
  const console = createConsole(cluster, reaper)
  const outside = createOutside(options.outside ?? { command: null, env: {} }, console)
  const programs = machine === undefined ? {} : { programs: createPodPrograms(cluster, console, machine) }
  const identity = newIdentity()
  const parts = { cluster, console, reaper, namespace, image, ...programs, podSeconds, outside, identity }
  const facts = createFacts(parts)
  const resources = createResources(cluster)
  const lock = createLock()
  const closing = new AbortController()

  /** The caller's context, ended also by the end of the testbed. */
  function bound({ emit, signal }: CallContext): CallContext {
    signal.throwIfAborted()
    return { emit, signal: AbortSignal.any([signal, closing.signal]) }
  }

  /** Allows a single change of the cluster at a time. */
  function alone<T>(context: CallContext, work: (context: CallContext) => Promise<T>): Promise<T> {
    const inner = bound(context)
    return lock(inner.signal, () => work(inner))
  }

  async function* exec(
    target: Target,
    argv: readonly string[],
    context: CallContext,
  ): AsyncGenerator<ExecOutput, void, void> {
    const inner = bound(context)
    const place = placeOf(target)
    if (place.kind === 'capture') {
      const { node } = place
      // Without an agent, the node does not exist, or Cilium's packets do not pass it.
      await nodeTarget(parts, node, inner.signal)
      yield* captureOn(parts, { node, argv, deadlineMs: EXEC_MS }, inner)
      return
    }
    if (place.kind === 'node') {
      const { node } = place
      const at = await nodeTarget(parts, node, inner.signal)
      yield* console.stream({ at, argv, where: node, deadlineMs: EXEC_MS }, inner)
      return
    }
    if (place.kind === 'net' || place.kind === 'host') throw noRights()
    yield* execFrom(parts, place.role, argv, inner)
  }

  return {
    kind: 'kubernetes',
    primitives: { ...primitives, 'outside-client': outside.isThere ? null : NO_OUTSIDE },
    settable: keys.map(({ key }) => `cilium-config/${key}`),
    choices: new Map(),
    roles: [...manifestRoles, ...exposedRoles],
    setup: null,
    placements: new Set(['other-node', 'same-node', 'host-network']),
    incarnation: (context) => readIncarnation(cluster, bound(context).signal),
    resources: (context) => resources(bound(context).signal),
    facts: async (context) => facts(bound(context)),
    preflight: (context, tries) =>
      preflight({ ...parts, checks: options.checks ?? [], tries: tries === true ? parts : null }, bound(context)),
    read: async (context) => readPath(parts, bound(context)),
    rest: null,
    changes: (context) => changes(parts, bound(context)),
    async set(settings, context) {
      return alone(context, (inner) => setDatapath(parts, keyValues(settings), inner))
    },
    deploy: async (workload, variant, context) =>
      alone(context, (inner) => deployWorkload(parts, workload, variant, inner)),
    async switchAndDeploy(settings, workload, variant, context) {
      const change = keyValues(settings)
      if (!workload.roles.includes(BACKEND_POD)) {
        return alone(context, (inner) => switchAndDeploy(parts, change, { workload, variant }, inner))
      }
      // A client outside can call a node only once its new agent forwards.
      return alone(context, async (inner) => {
        await setDatapath(parts, change, inner)
        await deployWorkload(parts, workload, variant, inner)
        return readPath(parts, inner)
      })
    },
    trySettings: async (tried, context) => alone(context, (inner) => trySettings(parts, tried, inner)),
    remove: async (context) => alone(context, (inner) => removeWorkload(parts, inner)),
    exec,
    terminals: createPodTerminals({ cluster, reaper, places: manifestRoles, target: placeIn(parts, bound) }),
    async close() {
      closing.abort(closedError())
      // Commands in pods are ended there, if the cluster answers.
      await Promise.race([Promise.all([console.idle(), reaper.idle()]), delay(CLOSE_MS, undefined, { ref: false })])
      cluster.close(closedError())
    },
  }
}
