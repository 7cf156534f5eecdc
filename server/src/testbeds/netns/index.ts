/** The testbed of network namespaces: the path in private ones of a machine's kernel, by default this machine's. */
import { randomBytes } from 'node:crypto'
import { EventEmitter, on } from 'node:events'
import type { TestbedFacts } from '@expresslane/shared/testbed/testbed'
import { everyPrimitive, type Primitives, type Values } from '@expresslane/shared/testbed/primitive'
import type { DatapathState, Reading } from '@expresslane/shared/testbed/reading'
import type { Placement, Role, RoleCpus } from '@expresslane/shared/testbed/placement'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { createLock } from '../lock.ts'
import type { CallContext, Testbed } from '../testbed.ts'
import { rolesOf, type Topology } from '../topology.ts'
import { typedLine, typedWithInput } from '../typed.ts'
import { requireRoles, type Workload } from '../workload.ts'
import type { Machine } from '../machine/machine.ts'
import { isNetserverListening, netserverArgv, startBackground, type Background } from './commands/background.ts'
import { createCommands, stopBackground, type Built } from './commands/commands.ts'
import { inNamespace } from './commands/typed.ts'
import { createConsole, type Console } from './commands/console.ts'
import { cpusFor, onCpu, requireCpus } from './commands/cpus.ts'
import { readFacts, readRelease, readVersions, type Versions } from './facts.ts'
import { createThisMachine } from './this-machine/index.ts'
import { cpusOf, growthOf, kernelOf, mtuOf, untouched, valuesAfter } from './network/values.ts'
import * as network from './network/network.ts'
import { closedError, findPlace, removedError } from './commands/places.ts'
import { preflight } from './preflight/preflight.ts'
import { checkTaken, sizesUnknown } from './network/taken.ts'

export interface NetnsOptions {
  /** @defaultValue the machine that the server runs on */
  readonly machine?: Machine
  readonly topology: Topology
  /** Time limit for an `exec`. @defaultValue 300,000 ms, above the longest repeat of 120 s */
  readonly execDeadlineMs?: number
}

const EXEC_MS = 300_000
/** Deadline for removing what a failed deploy left. */
const CLEANUP_MS = 10_000

/** All topologies of a machine have them together. */
function primitivesOn({ primitives }: Pick<Machine, 'primitives'>): Primitives {
  return {
    ...everyPrimitive,
    ...primitives,
    cilium: 'There is no Cilium here.',
    'cilium-config': 'There is no Cilium here.',
    'outside-client': 'Its client runs on a machine outside of the cluster.',
  }
}

function newIncarnation(kind: Machine['kind']): string {
  return `${kind}-${randomBytes(6).toString('hex')}`
}

/**
 * Makes the testbed of a machine. Nothing is built until it is first needed; when its
 * namespaces end by themselves, the next call builds new ones, with a new incarnation.
 */
export function createNetnsTestbed(options: NetnsOptions): Testbed {
  const { machine = createThisMachine(), topology, execDeadlineMs: deadlineMs = EXEC_MS } = options
  const { cpus, kernels } = machine
  const settable = kernels === null ? topology.settable : [...topology.settable, 'kernels' as const]
  const console: Console = createConsole(machine)
  const lock = createLock()
  const closing = new AbortController()
  const changed = new EventEmitter()
  const original = untouched({ settable })
  let incarnation = newIncarnation(machine.kind)
  let built: Built | null = null
  /** The kernel of the present machine; null for the default. */
  let kernel: string | null = null
  /** By kernel: what is built in machines of others than the present one. None has pods. */
  const aside = new Map<string | null, Built>()
  /** By kernel. Asking four tools takes as long as reading the whole path; preflight asks them again. */
  const versions = new Map<string | null, Versions>()

  /** Yields at first, whenever this testbed was changed, and when its namespaces have ended. */
  async function* changes({ signal }: CallContext): AsyncGenerator<void, void, void> {
    // Listens from now on, also before the next tick is asked for.
    const later = on(changed, 'change', { signal })
    try {
      yield
      for await (const _ of later) yield
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      await later.return?.()
    }
  }

  const now = (): EpochMs => epochMs.parse(machine.now())

  /** The caller's context, which also ends with the testbed or its namespaces. */
  function bound(context: CallContext, ...others: AbortSignal[]): CallContext {
    return { emit: context.emit, signal: AbortSignal.any([context.signal, closing.signal, ...others]) }
  }

  function siteOf({ holder }: Built, context: CallContext): network.Site {
    return { console, entrance: holder, topology, context: bound(context, holder.gone) }
  }

  function choose(release: string | null): void {
    kernels?.choose(release)
    kernel = release
  }

  /** The namespaces have ended, and all settings with them. The next use builds new ones, in the default kernel. */
  function forget(ended: Built): void {
    if (built !== ended) {
      for (const [of, one] of aside) if (one === ended) aside.delete(of)
      return
    }
    built = null
    for (const { holder } of aside.values()) void holder.close()
    aside.clear()
    versions.clear()
    choose(null)
    incarnation = newIncarnation(machine.kind)
    changed.emit('change')
  }

  async function build(values: Values, context: CallContext): Promise<Built> {
    const holder = await machine.hold(context.signal)
    const fresh: Built = { holder, values, pods: null, mayHavePods: false }
    try {
      await network.buildNodesAndWire(siteOf(fresh, context))
    } catch (error) {
      await holder.close()
      throw error
    }
    built = fresh
    if (holder.gone.aborted) forget(fresh)
    else holder.gone.addEventListener('abort', () => forget(fresh), { once: true })
    return fresh
  }

  /** What was built, unless its namespaces have ended. */
  async function living(one: Built | null, { signal }: CallContext): Promise<Built | null> {
    if (one === null) return null
    try {
      await one.holder.check(signal)
      return one
    } catch {
      signal.throwIfAborted()
      forget(one)
      return null
    }
  }

  /** Runs `work` alone on the built testbed, and builds it first if necessary. */
  function use<T>(context: CallContext, work: (present: Built, site: network.Site) => Promise<T>): Promise<T> {
    const inner = bound(context)
    return lock(inner.signal, async () => {
      const present = (await living(built, inner)) ?? (await build(original, inner))
      return work(present, siteOf(present, inner))
    })
  }

  /** As {@link use}, and reports that something was changed. */
  async function change<T>(context: CallContext, work: (present: Built, site: network.Site) => Promise<T>): Promise<T> {
    try {
      return await use(context, work)
    } finally {
      changed.emit('change')
    }
  }

  /** What the kernel says it is. The default stands for itself only where nobody asked for it by its name. */
  async function readKernel({ values }: Built, site: network.Site): Promise<Values> {
    if (kernels === null) return {}
    const release = await readRelease(console, site)
    return { kernels: release === kernels.releases[0] && kernelOf(values) === null ? null : release }
  }

  async function readState(present: Built, site: network.Site): Promise<DatapathState> {
    const { values, pods } = present
    return {
      at: now(),
      settings: { ...values },
      agents: null,
      kernel: await readPath(present, site),
      unread: [],
      carried: await readKernel(present, site),
      hooks: [],
      placement: pods?.placement ?? null,
    }
  }

  async function removePods(present: Built, site: network.Site): Promise<void> {
    const { pods } = present
    present.pods = null
    pods?.removed.abort(removedError())
    await stopBackground(pods)
    if (!present.mayHavePods) return
    await network.removePods(site)
    present.mayHavePods = false
  }

  /**
   * The testbed in the kernel of these values, with all else that is set. Its machines have nothing in common: the pods go,
   * and the nodes stay for the next time.
   */
  async function inKernel(wanted: Values, present: Built, context: CallContext): Promise<Built> {
    const [from, to] = [kernelOf(present.values), kernelOf({ ...present.values, ...wanted })]
    if (kernels === null || from === to) return present
    kernels.requireHere(to)
    await removePods(present, siteOf(present, context))
    aside.set(from, present)
    built = null
    choose(to)
    try {
      const next = (await living(aside.get(to) ?? null, context)) ?? (await build(present.values, context))
      aside.delete(to)
      next.values = { ...present.values, kernels: to }
      built = next
      return next
    } catch (error) {
      aside.delete(from)
      built = present
      choose(from)
      throw error
    }
  }

  /** Without nodes of its own, a path without pods has no device. */
  async function readPath({ mayHavePods }: Built, site: network.Site): Promise<Reading[]> {
    return topology.standing === null && !mayHavePods ? [] : network.readPath(site)
  }

  async function startNetserver(role: Role, placed: RoleCpus, site: network.Site): Promise<Background> {
    const { namespace: where } = findPlace({ kind: 'role', role }, topology)
    const argv = onCpu(placed[role], netserverArgv)
    const typed = typedLine(inNamespace(where, argv))
    const command = { where, program: 'netserver', argv, typed, isReady: isNetserverListening }
    return startBackground(command, { ...site, entrance: site.entrance.inside(where) }, machine)
  }

  async function deploy(workload: Workload, present: Built, site: network.Site): Promise<Placement> {
    requireRoles(workload, rolesOf(topology))
    await removePods(present, site)
    const sizes = network.sizesFor(present.values, await readPath(present, site))
    if (sizes === null) throw sizesUnknown()
    present.mayHavePods = true
    try {
      await network.makePods(site, sizes, mtuOf(present.values))
      const pods = topology.pods.map(({ pod }) => pod)
      const placed = cpusFor(cpusOf(present.values), rolesOf(topology), cpus)
      const background = topology.netserver === null ? [] : [await startNetserver(topology.netserver, placed, site)]
      const placement: Placement = { madeAt: now(), variant: 'other-node', pods, cpus: placed }
      present.pods = { placement, background, removed: new AbortController() }
      return placement
    } catch (error) {
      const cleanup = { emit: site.context.emit, signal: AbortSignal.timeout(CLEANUP_MS) }
      // The first error is the one to report; the next deploy removes what could not be removed now.
      await removePods(present, siteOf(present, cleanup)).catch(() => {})
      throw error
    }
  }

  async function readAllFacts(context: CallContext): Promise<TestbedFacts> {
    await machine.wake(context.signal)
    const known = versions.get(kernel) ?? {
      ...(await readVersions(topology.tools, machine, console, context)),
      ...(await machine.madeOf()),
    }
    versions.set(kernel, known)
    return readFacts(incarnation, topology.nodes, machine, known)
  }

  const commands = createCommands({ topology, console, machine, deadlineMs, use, bound })

  return {
    kind: machine.kind,
    primitives: primitivesOn(machine),
    settable,
    choices: new Map(kernels === null ? [] : [['kernels', kernels.releases]]),
    roles: rolesOf(topology),
    setup: commands.setup,
    resources: async () => machine.resources,
    placements: new Set(['other-node']),
    // Nobody else can reach a machine of its own.
    changes: machine.rest === null ? null : (context) => changes(bound(context)),
    rest: machine.rest,
    incarnation: async () => incarnation,
    // Not while the machine becomes another one.
    facts: (context) => lock(bound(context).signal, () => readAllFacts(bound(context))),
    preflight(context) {
      versions.clear()
      return preflight(
        {
          machine,
          console,
          topology,
          readPath: () => use(context, (_present, site) => network.readPath(site)),
          tryIn: (argv, input) =>
            use(context, async (_present, site) => {
              const command = { where: null, argv, input, typed: typedWithInput(typedLine(argv), input) }
              await console.run(command, site.context, site.entrance)
            }),
        },
        bound(context),
      )
    },
    read: (context) => use(context, readState),
    set: (wanted, context) =>
      change(context, async (found) => {
        const present = await inKernel(wanted, found, bound(context))
        const site = siteOf(present, bound(context))
        const before = await readPath(present, site)
        const values = valuesAfter(present.values, wanted, before)
        requireCpus(cpusOf(values), machine.primitives.cpus)
        const sizes = network.sizesFor(values, before)
        if (sizes === null || (growthOf(values, 'ipv4') !== null && sizes.ipv4 === null)) throw sizesUnknown()
        present.values = values
        await network.setNodes(site, sizes, mtuOf(values), before)
        const state = await readState(present, site)
        checkTaken(state.kernel, sizes, mtuOf(values))
        return state
      }),
    deploy: (workload, _variant, context) => change(context, (present, site) => deploy(workload, present, site)),
    switchAndDeploy: null,
    remove: (context) => change(context, removePods),
    exec: commands.exec,
    async close() {
      closing.abort(closedError())
      await console.idle()
      // The lock's holder, if there is one, was aborted and drains now.
      await lock(new AbortController().signal, async () => {
        // Its namespaces end with the holder, and the netserver with them.
        const all = [built, ...aside.values()]
        await Promise.all([stopBackground(built?.pods ?? null), ...all.map((one) => one?.holder.close())])
        built = null
      })
      await machine.close()
    },
  }
}
