/** Runs commands at the places of the built testbed: for a while, with input, or until the pods are removed. */
import { assertNever, LabError } from '@expresslane/shared/base/errors'
import { placeOf, type ExecOutput, type Target } from '../../target.ts'
import type { CallContext, PodSetup, Testbed } from '../../testbed.ts'
import { typedLine, typedWithInput } from '../../typed.ts'
import type { Built } from '../builds.ts'
import { startBackground } from './background.ts'
import type { Console } from './console.ts'
import { onCpu } from './cpus.ts'
import type { Entrance, Machine } from '../../machine/machine.ts'
import type { Site } from '../network/network.ts'
import { findPlace, inNamespace, noPods } from './places.ts'
import type { Topology } from '../../topology.ts'

interface Parts {
  readonly topology: Topology
  readonly console: Console
  readonly machine: Machine
  /** Time limit for one command in milliseconds. */
  readonly deadlineMs: number
  /** Runs `work` alone on the built testbed. */
  use<T>(context: CallContext, work: (present: Built, site: Site) => Promise<T>): Promise<T>
  /** The caller's context, which also ends with the testbed or with these. */
  bound(context: CallContext, ...others: AbortSignal[]): CallContext
}

/** A command at its target. */
interface Located {
  /** Null for the machine itself. */
  readonly where: string | null
  /** The started command, without its entrance. */
  readonly argv: readonly string[]
  /** As a person would type it. */
  readonly typed: string
  readonly entrance: Entrance
  /** The command ends when any of these is aborted. */
  readonly lives: readonly AbortSignal[]
}

function bpfError(reason: string): LabError {
  return new LabError('testbed_unavailable', reason, 'Start Expresslane as root, or choose other arms.')
}

export function createCommands(parts: Parts): Pick<Testbed, 'exec'> & { readonly setup: PodSetup } {
  const { topology, console, machine, deadlineMs, use, bound } = parts

  /** @throws LabError `step_not_ready` without pods, `testbed_unavailable` without the rights */
  function locate(target: Target, argv: readonly string[], { holder, pods }: Pick<Built, 'holder' | 'pods'>): Located {
    const place = placeOf(target)
    const { namespace: where, role } = findPlace(place, topology)
    if (role !== null && pods === null) throw noPods()
    const lives = role === null || pods === null ? [holder.gone] : [holder.gone, pods.removed.signal]
    const placed = onCpu(role === null ? undefined : pods?.placement.cpus[role], argv)
    switch (place.kind) {
      case 'role':
      case 'node': {
        const own = place.kind === 'role' ? placed : argv
        return { where, lives, argv: own, typed: typedLine(inNamespace(where, own)), entrance: holder.inside(where) }
      }
      case 'capture':
        return { where, lives, argv, typed: typedLine(inNamespace(where, argv)), entrance: holder.watching(where) }
      case 'net':
        if (machine.primitives.bpf !== null) throw bpfError(machine.primitives.bpf)
        return {
          where,
          lives,
          argv: placed,
          typed: typedLine(inNamespace(where, placed)),
          entrance: holder.withServerRights(where),
        }
      case 'host':
        // Neither entered nor placed: a command that looks at the machine is no work of the pods.
        return { where: null, lives, argv, typed: typedLine(argv), entrance: holder.outside }
      default:
        return assertNever(place)
    }
  }

  /** Finds where a command runs. The parts of the built testbed that it needs do not change while it runs. */
  async function command(target: Target, argv: readonly string[], context: CallContext): Promise<Located> {
    findPlace(placeOf(target), topology)
    const { holder, pods } = await use(context, async (present) => ({ ...present }))
    const located = locate(target, argv, { holder, pods })
    await console.require(argv[0] ?? '')
    return located
  }

  async function* exec(
    target: Target,
    argv: readonly string[],
    context: CallContext,
  ): AsyncGenerator<ExecOutput, void, void> {
    const { lives, entrance, ...at } = await command(target, argv, context)
    yield* console.stream({ ...at, deadlineMs }, bound(context, ...lives), entrance)
  }

  const setup: PodSetup = {
    async feed(target, { argv, input, shown = input, typed = argv }, context) {
      const { lives, entrance, where, argv: entered } = await command(target, argv, context)
      const line = typedWithInput(typedLine(where === null ? typed : inNamespace(where, typed)), shown)
      const fed = { where, argv: entered, input, typed: line, deadlineMs }
      return console.run(fed, bound(context, ...lives), entrance)
    },
    hold: (target, { argv, ...held }, context) =>
      use(context, async (present, site) => {
        const { entrance, lives: _, ...at } = locate(target, argv, present)
        const background = { ...at, ...held, program: argv[0] ?? '' }
        if (present.pods?.background.some((one) => one.is(background)) === true) return
        present.pods?.background.push(await startBackground(background, { ...site, entrance }, machine))
      }),
  }

  return { exec, setup }
}
