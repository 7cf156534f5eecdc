/** The testbed on this machine: the path in private network namespaces of its kernel. */
import { cpuPlacementIn } from '@expresslane/shared/features/cpu-placement'
import { isOn, mtuOf } from '@expresslane/shared/features/big-tcp/settings'
import type { DatapathState, Reading } from '@expresslane/shared/testbed/reading'
import type { Placement, Role, RoleCpus } from '@expresslane/shared/testbed/placement'
import { epochMs, type EpochMs } from '@expresslane/shared/measure/units'
import { createLock } from '../lock.ts'
import type { CallContext, Testbed } from '../testbed.ts'
import { typedLine, typedWithInput } from '../typed.ts'
import { requireRoles, type Workload } from '../workload.ts'
import { abilitiesOf, bpfRefusal, thisMachine, type Machine } from './abilities.ts'
import { isNetserverListening, netserverArgv, startBackground, type Background } from './background.ts'
import { createCommands, inNamespace, stopBackground, type Built } from './commands.ts'
import { createConsole, THIS_MACHINE, type Console } from './console.ts'
import { cpusFor, onCpu, ownCpus, requireCpus } from './cpus.ts'
import { readFacts, readVersions, type Versions } from './facts.ts'
import { startHolder } from './holder.ts'
import { intentAfter, untouched } from './intent.ts'
import * as network from './network.ts'
import { presentUser, realOutside, toolPath, type Outside } from './outside.ts'
import { closedError, findPlace, removedError } from './places.ts'
import { preflight } from './preflight.ts'
import { checkTaken, sizesUnknown } from './taken.ts'
import { pair } from './topologies/pair.ts'
import { rolesOf, type Topology } from './topologies/topology.ts'

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
  /** What decides about the abilities. @defaultValue this machine's kernel and the rights of this process */
  readonly machine?: Machine
  /** Time limit for all other commands. @defaultValue 10,000 ms; they take milliseconds */
  readonly commandDeadlineMs?: number
  /** Time limit for an `exec`. @defaultValue 300,000 ms, above the longest repeat of 120 s */
  readonly execDeadlineMs?: number
}

const EXEC_MS = 300_000
const COMMAND_MS = 10_000
/** Deadline for removing what a failed deploy left. */
const CLEANUP_MS = 10_000

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
  const { topology = pair, cpus = ownCpus(), execDeadlineMs: deadlineMs = EXEC_MS, machine = thisMachine() } = options
  const abilities = abilitiesOf(machine, cpus)
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
    const fresh: Built = { holder, intent: untouched(topology), pods: null }
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
      hooks: [],
      placement: pods?.placement ?? null,
    }
  }

  async function removePods(present: Built, site: network.Site): Promise<void> {
    const { pods } = present
    present.pods = null
    pods?.removed.abort(removedError())
    await stopBackground(pods)
    await network.removePods(site)
  }

  async function startNetserver(role: Role, placed: RoleCpus, site: network.Site): Promise<Background> {
    const { namespace: where } = findPlace({ kind: 'role', role }, topology)
    const argv = inNamespace(where, onCpu(placed[role], netserverArgv))
    const command = { where, program: 'netserver', argv, typed: typedLine(argv), isReady: isNetserverListening }
    return startBackground(command, site, outside)
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
      const background = topology.netserver === null ? [] : [await startNetserver(topology.netserver, placed, site)]
      const placement: Placement = { madeAt: now(), variant: 'other-node', pods, cpus: placed }
      present.pods = { placement, background, removed: new AbortController() }
      return placement
    } catch (error) {
      const cleanup = { emit: site.context.emit, signal: AbortSignal.timeout(CLEANUP_MS) }
      // The first error is the one to report; the next deploy removes what could not be removed now.
      await network.removePods(siteOf(present, cleanup)).catch(() => {})
      throw error
    }
  }

  const commands = createCommands({ topology, console, outside, deadlineMs, lacksBpf: bpfRefusal(machine), use, bound })

  return {
    kind: 'netns',
    capabilities: abilities.capabilities,
    lacks: abilities.lacks,
    roles: rolesOf(topology),
    setup: commands.setup,
    resources: async () => ({ measuring: ['host'], changing: [] }),
    placements: new Set(['other-node']),
    changes: null,
    incarnation: async () => incarnation,
    async facts(context) {
      versions ??= await readVersions(topology.tools, outside, console, bound(context))
      return readFacts(incarnation, topology.nodes, outside, versions)
    },
    preflight(context) {
      versions = null
      return preflight(
        {
          outside,
          console,
          topology,
          readPath: () => use(context, (_present, site) => network.readPath(site)),
          tryIn: (argv, input) =>
            use(context, async (_present, site) => {
              const command = { where: THIS_MACHINE, argv, input, typed: typedWithInput(typedLine(argv), input) }
              await console.run(command, site.context, site.entrance)
            }),
        },
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
    switchAndDeploy: null,
    remove: (context) => use(context, removePods),
    exec: commands.exec,
    async close() {
      closing.abort(closedError())
      await console.idle()
      // The lock's holder, if there is one, was aborted and drains now.
      await lock(new AbortController().signal, async () => {
        // Its namespaces end with the holder, and the netserver with them.
        await Promise.all([stopBackground(built?.pods ?? null), built?.holder.close()])
        built = null
      })
    },
  }
}
