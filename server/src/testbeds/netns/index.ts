/** The testbed on this machine: the path in private network namespaces of its kernel. */
import { cpuPlacementIn } from '@expresslane/shared/features/cpu-placement'
import { isOn, mtuOf } from '@expresslane/shared/features/big-tcp/settings'
import { LabError } from '@expresslane/shared/wire/errors'
import type { DatapathState, Reading } from '@expresslane/shared/testbed/reading'
import { SERVER, type Placement } from '@expresslane/shared/testbed/placement'
import { epochMs, type EpochMs } from '@expresslane/shared/measure/units'
import { placeOf, type TargetPlace, type Target, type ExecOutput } from '../target.ts'
import type { CallContext, Testbed } from '../testbed.ts'
import { createConsole, type Console } from './console.ts'
import { cpusFor, ONE_CPU, onCpu, ownCpus, requireCpus } from './cpus.ts'
import { readFacts, readVersions, type Versions } from './facts.ts'
import { startHolder, type NamespaceHolder } from './holder.ts'
import { intentAfter, untouched, type Intent } from './intent.ts'
import { createLock } from '../lock.ts'
import { requireRoles, type Workload } from '../workload.ts'
import { typedLine } from '../typed.ts'
import { startNetserver, type Netserver } from './netserver.ts'
import * as network from './network.ts'
import { presentUser, realOutside, toolPath, type Outside } from './outside.ts'
import { preflight } from './preflight.ts'
import { pair } from './topologies/pair.ts'
import { rolesOf, type Topology } from './topologies/topology.ts'
import { checkTaken, sizesUnknown } from './taken.ts'

export interface NetnsOptions {
  /** @defaultValue the server's own */
  readonly env?: NodeJS.ProcessEnv
  /** @defaultValue two pods on two nodes */
  readonly topology?: Topology
  /** Reads files of /proc, /sys and /etc; null for missing files. */
  readonly readText?: Outside['readText']
  readonly now?: () => number
  /** The numbers of the CPUs that commands can run on. @defaultValue those of this process */
  readonly cpus?: readonly number[]
  /** Time limit for all other commands. @defaultValue 10,000 ms; they take milliseconds */
  readonly commandDeadlineMs?: number
  /** Time limit for an `exec`. @defaultValue 300,000 ms, above the longest repeat of 120 s */
  readonly execDeadlineMs?: number
}

const EXEC_MS = 300_000
const COMMAND_MS = 10_000
/** Deadline for removing what a failed deploy left. */
const CLEANUP_MS = 10_000

interface Pods {
  readonly placement: Placement
  readonly netserver: Netserver
  /** Aborted when the pods are removed, which ends everything that runs in them. */
  readonly removed: AbortController
}

/** The state of one holder's namespaces. */
interface Built {
  readonly holder: NamespaceHolder
  intent: Intent
  pods: Pods | null
}

function noPods(): LabError {
  return new LabError(
    'step_not_ready',
    'There are no pods on the testbed.',
    'If the lab has a Deploy step, run it first. Otherwise run this step again.',
  )
}

function removedError(): LabError {
  return new LabError('testbed_gone', 'The pod was removed while a command ran in it.', 'Run the step again.')
}

function closedError(): LabError {
  return new LabError('testbed_gone', 'The testbed is closed.', 'Start Expresslane again.')
}

/** @throws LabError `not_found` for a node or a role that the topology does not have */
function namespaceOf(place: TargetPlace, topology: Topology): string {
  if (place.kind === 'role') {
    const site = topology.pods.find(({ pod }) => pod.role === place.role)
    if (site !== undefined) return site.pod.name
    const known = rolesOf(topology).join(', ')
    throw new LabError('not_found', `The testbed has no ${place.role} pod.`, `Its pods are ${known}.`)
  }
  if (topology.nodes.includes(place.node)) return place.node
  const known = topology.nodes.join(', ')
  throw new LabError('not_found', `The testbed has no node ${place.node}.`, `Its nodes are ${known}.`)
}

/**
 * Makes the testbed of this machine. Nothing is built until it is first needed; when its
 * namespaces end by themselves, the next call builds new ones, with a new incarnation.
 */
export function createNetnsTestbed(options: NetnsOptions = {}): Testbed {
  const outside: Outside = {
    ...realOutside,
    ...(options.readText === undefined ? {} : { readText: options.readText }),
    ...(options.now === undefined ? {} : { now: options.now }),
    user: presentUser(),
    commandMs: options.commandDeadlineMs ?? COMMAND_MS,
    env: { PATH: toolPath((options.env ?? process.env)['PATH']), LC_ALL: 'C' },
  }
  const { topology = pair, cpus = ownCpus() } = options
  const console: Console = createConsole(outside)
  const lock = createLock()
  const closing = new AbortController()
  let incarnation = outside.newId()
  let built: Built | null = null
  /** Asking four tools takes as long as reading the whole path; preflight asks them again. */
  let versions: Versions | null = null

  const now = (): EpochMs => epochMs.parse(outside.now())

  /** The caller's context, which also ends with the testbed or its namespaces. */
  function bound(context: CallContext, ...others: AbortSignal[]): CallContext {
    return { emit: context.emit, signal: AbortSignal.any([context.signal, closing.signal, ...others]) }
  }

  function siteOf({ holder }: Built, context: CallContext): network.Site {
    return { console, entrance: holder, topology, context: bound(context, holder.gone) }
  }

  async function build(context: CallContext): Promise<Built> {
    const holder = await startHolder(incarnation, outside, context.signal)
    const fresh: Built = { holder, intent: untouched, pods: null }
    try {
      await network.buildNodesAndWire(siteOf(fresh, context))
    } catch (error) {
      await holder.close()
      throw error
    }
    const forget = (): void => {
      if (built === fresh) built = null
      incarnation = outside.newId()
    }
    if (holder.gone.aborted) forget()
    else holder.gone.addEventListener('abort', forget, { once: true })
    return fresh
  }

  /** The built testbed, unless its namespaces have ended. */
  async function living({ signal }: CallContext): Promise<Built | null> {
    const present = built
    if (present === null) return null
    try {
      await present.holder.check(signal)
      return present
    } catch {
      signal.throwIfAborted()
      return null
    }
  }

  /** Runs `work` alone on the built testbed, and builds it first if necessary. */
  function use<T>(context: CallContext, work: (present: Built, site: network.Site) => Promise<T>): Promise<T> {
    const inner = bound(context)
    return lock(inner.signal, async () => {
      const present = (await living(inner)) ?? (await build(inner))
      built = present
      return work(present, siteOf(present, inner))
    })
  }

  function stateOf({ intent, pods }: Built, kernel: Reading[]): DatapathState {
    return {
      at: now(),
      settings: { ...intent },
      agents: null,
      kernel,
      unread: [],
      carried: {},
      placement: pods?.placement ?? null,
    }
  }

  async function removePods(present: Built, site: network.Site): Promise<void> {
    const { pods } = present
    present.pods = null
    pods?.removed.abort(removedError())
    await pods?.netserver.stop()
    await network.removePods(site)
  }

  async function deploy(workload: Workload, present: Built, site: network.Site): Promise<Placement> {
    requireRoles(workload, rolesOf(topology))
    await removePods(present, site)
    const sizes = network.sizesFor(present.intent, await network.readPath(site))
    if (sizes === null) throw sizesUnknown()
    try {
      await network.makePods(site, sizes, mtuOf(present.intent))
      const pods = topology.pods.map(({ pod }) => pod)
      const placed = cpusFor(cpuPlacementIn(present.intent), rolesOf(topology), cpus)
      const namespace = namespaceOf({ kind: 'role', role: SERVER }, topology)
      const netserver = await startNetserver(namespace, placed[SERVER], site, outside)
      const placement: Placement = { madeAt: now(), variant: 'other-node', pods, cpus: placed }
      present.pods = { placement, netserver, removed: new AbortController() }
      return placement
    } catch (error) {
      const cleanup = { emit: site.context.emit, signal: AbortSignal.timeout(CLEANUP_MS) }
      // The first error is the one to report; the next deploy removes what could not be removed now.
      await network.removePods(siteOf(present, cleanup)).catch(() => {})
      throw error
    }
  }

  async function* exec(
    target: Target,
    argv: readonly string[],
    context: CallContext,
  ): AsyncGenerator<ExecOutput, void, void> {
    const place = placeOf(target)
    const namespace = namespaceOf(place, topology)
    const { holder, pods } = await use(context, async (present) => ({ ...present }))
    const inPod = place.kind === 'role'
    if (inPod && pods === null) throw noPods()
    const lives = inPod && pods !== null ? [holder.gone, pods.removed.signal] : [holder.gone]
    const cpu = place.kind === 'role' ? pods?.placement.cpus[place.role] : undefined
    const typed = ['ip', 'netns', 'exec', namespace, ...onCpu(cpu, argv)]
    const where = { where: namespace, deadlineMs: options.execDeadlineMs ?? EXEC_MS }
    await console.require(argv[0] ?? '')
    const inner = bound(context, ...lives)
    if (place.kind === 'capture') {
      yield* console.stream({ ...where, argv, typed: typedLine(typed) }, inner, holder.watching(namespace))
    } else yield* console.stream({ ...where, argv: typed }, inner, holder)
  }

  return {
    kind: 'netns',
    capabilities: new Set([
      'big-tcp-ipv4',
      'big-tcp-ipv6',
      'size-limit',
      'pod-mtu',
      'iperf3',
      'capture',
      'quick-switch',
      ...(cpus.length > 1 ? ['cpu-placement'] : []),
    ]),
    lacks: new Map(cpus.length > 1 ? [] : [['cpu-placement', ONE_CPU]]),
    resources: async () => ({ measuring: ['host'], changing: [] }),
    placements: new Set(['other-node']),
    changes: null,
    incarnation: async () => incarnation,
    async facts(context) {
      versions ??= await readVersions(outside, console, bound(context))
      return readFacts(incarnation, topology.nodes, outside, versions)
    },
    preflight(context) {
      versions = null
      return preflight(
        { outside, console, readPath: () => use(context, (_present, site) => network.readPath(site)) },
        bound(context),
      )
    },
    read: (context) => use(context, async (present, site) => stateOf(present, await network.readPath(site))),
    set: (change, context) =>
      use(context, async (present, site) => {
        const before = await network.readPath(site)
        const intent = intentAfter(present.intent, change, before)
        requireCpus(cpuPlacementIn(intent), cpus)
        const sizes = network.sizesFor(intent, before)
        if (sizes === null || (isOn(intent, 'ipv4') && sizes.ipv4 === null)) throw sizesUnknown()
        present.intent = intent
        await network.setNodes(site, sizes, mtuOf(intent), before)
        const state = stateOf(present, await network.readPath(site))
        checkTaken(state.kernel, sizes, mtuOf(intent))
        return state
      }),
    deploy: (workload, _variant, context) => use(context, (present, site) => deploy(workload, present, site)),
    remove: (context) => use(context, removePods),
    exec,
    async close() {
      closing.abort(closedError())
      await console.idle()
      // The lock's holder, if there is one, was aborted and drains now.
      await lock(new AbortController().signal, async () => {
        // Its namespaces end with the holder, and the netserver with them.
        await Promise.all([built?.pods?.netserver.stop(), built?.holder.close()])
        built = null
      })
    },
  }
}
