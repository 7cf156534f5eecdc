/** The testbed of network namespaces: the path in private namespaces of a machine's kernel. */
import type { Reading } from '@expresslane/shared/testbed/reading'
import { everyPrimitive, type Primitives, type Values } from '@expresslane/shared/testbed/primitive'
import type { Machine } from '../machine/machine.ts'
import type { CallContext, Testbed } from '../testbed.ts'
import { rolesOf, type Topology } from '../topology.ts'
import { typedLine, typedWithInput } from '../typed.ts'
import type { Built } from './builds.ts'
import { createCommands } from './commands/commands.ts'
import { createConsole } from './commands/console.ts'
import { createFacts } from './facts.ts'
import { createLifetime, type Lifetime, type LifetimeParts } from './lifetime.ts'
import * as network from './network/network.ts'
import { kernelOf } from './network/values.ts'
import { deployPods, removePods } from './pods.ts'
import { preflight } from './preflight/preflight.ts'
import { readState, setState } from './state.ts'
import { createTerminals } from './terminals.ts'

export interface NetnsOptions {
  readonly machine: Machine
  readonly topology: Topology
  /** Time limit for an `exec`. @defaultValue 300,000 ms, above the longest repeat of 120 s */
  readonly execDeadlineMs?: number
}

const EXEC_MS = 300_000

interface Parts extends LifetimeParts {
  readonly lifetime: Lifetime
}

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

/** The testbed in the kernel of these values, with everything else as it is set. In another kernel it has no pods yet. */
async function inKernel(
  wanted: Values,
  present: Built,
  context: CallContext,
  { machine: { kernels }, lifetime: { builds, siteOf } }: Parts,
): Promise<Built> {
  const release = kernelOf({ ...present.values, ...wanted })
  if (kernels === null || release === kernelOf(present.values)) return present
  kernels.requireHere(release)
  await removePods(present, siteOf(present, context))
  return builds.inKernel(release, present, context)
}

function preflightOf(
  { machine, topology, console, lifetime }: Parts,
  context: CallContext,
): ReturnType<typeof preflight> {
  const readPath = (): Promise<Reading[]> => lifetime.use(context, (_present, site) => network.readPath(site))
  const tryIn = (argv: readonly string[], input: string): Promise<readonly string[]> =>
    lifetime.use(context, (_present, site) => {
      const command = { where: null, argv, input, typed: typedWithInput(typedLine(argv), input) }
      return console.run(command, site.context, site.entrance)
    })
  return preflight({ machine, console, topology, readPath, tryIn }, lifetime.bound(context))
}

/**
 * Makes the testbed of a machine. Nothing is built until it is first needed; when its
 * namespaces end by themselves, the next call builds new namespaces, with a new incarnation.
 */
export function createNetnsTestbed(options: NetnsOptions): Testbed {
  const { machine, execDeadlineMs: deadlineMs = EXEC_MS } = options
  const { kernels } = machine
  const settable = kernels === null ? options.topology.settable : [...options.topology.settable, 'kernels' as const]
  const topology = { ...options.topology, settable }
  const console = createConsole(machine)
  const lifetime = createLifetime({ machine, topology, console })
  const { bound, builds, use, change } = lifetime
  const parts = { machine, topology, console, lifetime }
  const facts = createFacts({ topology, machine, console, builds })
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
    changes: machine.rest === null ? null : lifetime.changes,
    rest: machine.rest,
    incarnation: async () => builds.incarnation(),
    // Not while the machine becomes another one.
    facts: (context) => lifetime.alone(context, facts.read),
    preflight(context) {
      facts.forget()
      return preflightOf(parts, context)
    },
    read: (context) => use(context, (present, site) => readState(present, site, machine)),
    set: (wanted, context) =>
      change(context, async (found) => {
        const present = await inKernel(wanted, found, bound(context), parts)
        return setState(wanted, present, lifetime.siteOf(present, context), machine)
      }),
    deploy: (workload, _variant, context) =>
      change(context, (present, site) => deployPods(workload, present, site, { machine, siteOf: lifetime.siteOf })),
    switchAndDeploy: null,
    profiler: () => machine.profiler(),
    remove: (context) => change(context, removePods),
    exec: commands.exec,
    terminals: createTerminals({ topology, machine, lifetime }),
    close: lifetime.close,
  }
}
