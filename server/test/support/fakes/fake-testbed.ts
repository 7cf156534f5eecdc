/** A scripted testbed without a kernel or time. A test can block its calls and let them fail. */
import { LabError } from '@expresslane/shared/base/errors'
import { cpuPlacementIn } from '@expresslane/shared/features/cpu-placement'
import { COUNTED_CLOCK } from '@expresslane/shared/measure/clock'
import type { Settings } from '@expresslane/shared/base/settings'
import { everyPrimitive } from '@expresslane/shared/testbed/primitive'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Check, TestbedFacts } from '@expresslane/shared/testbed/testbed'
import { CLIENT, SERVER, type Placement, type PlacementVariant, type Role } from '@expresslane/shared/testbed/placement'
import { bytes, epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { cpusFor } from '../../../src/testbeds/netns/commands/cpus.ts'
import type { Target, ExecOutput } from '../../../src/testbeds/target.ts'
import type { CallContext, Testbed } from '../../../src/testbeds/testbed.ts'
import { createFakePath } from './fake-path.ts'
import { latch, type Latch } from '../latch.ts'

export type Door =
  | 'facts'
  | 'preflight'
  | 'read'
  | 'set'
  | 'deploy'
  | 'switchAndDeploy'
  | 'remove'
  | 'netperf'
  | 'close'

export interface FakeTestbed extends Testbed {
  /** The incarnation. */
  readonly id: string
  /** Blocks the next call of this name. */
  hold(door: Door, options?: { deaf: boolean }): Latch
  /** Fails the next call of this name. */
  fail(door: Door, error: Error): void
  /** The checks of preflight. @defaultValue all passed */
  checks: Check[]
  /** The values of netperf's next measurements. */
  tps: number
  /** When it is read. */
  at: EpochMs
  /** All calls that were made, in order. */
  readonly passed: Door[]
}

const SAMPLES = 4
const latencies = ['MIN', 'MEAN', 'P50', 'P90', 'P99', 'MAX', 'STDDEV']

let made = 0

/**
 * @param slow whether its steps take seconds, as a cluster's do: then it switches and deploys at the same time
 * @param counted whether its clock counts instructions
 */
export function createFakeTestbed(id = `fake-${(made += 1)}`, { slow = false, counted = false } = {}): FakeTestbed {
  const kind = counted ? 'counted' : 'netns'
  const path = createFakePath()
  const doors = new Map<Door, Latch | Error>()
  const passed: Door[] = []
  let settings: Settings = {
    'big-tcp-ipv4': false,
    'big-tcp-ipv6': false,
    'size-limit': null,
    'pod-mtu': null,
    'cpu-placement': null,
  }
  let placement: Placement | null = null
  let commands = 0

  async function through(door: Door, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const shut = doors.get(door)
    doors.delete(door)
    if (shut instanceof Error) throw shut
    await shut?.pass(signal)
    passed.push(door)
  }

  const facts = (): TestbedFacts => ({
    kind,
    name: 'a fake',
    incarnation: id,
    kernel: '6.18.0',
    os: 'none',
    cpu: { model: 'none', count: 2, governor: null },
    load: 0,
    instructionsPerMicrosecond: counted ? COUNTED_CLOCK : null,
    nodes: ['node1', 'node2'],
    versions: { netperf: '2.7.0' },
    cluster: null,
  })

  const state = (): DatapathState => ({
    at: fake.at,
    settings: { ...settings },
    agents: null,
    kernel: path.devices(),
    unread: [],
    carried: {},
    hooks: [],
    placement,
  })

  async function* netperf(argv: readonly string[], signal: AbortSignal): AsyncGenerator<string> {
    const after = (flag: string): string => argv[argv.indexOf(flag) + 1] ?? ''
    const family = after('-H').includes(':') ? 'ipv6' : 'ipv4'
    const length = Number(after('-l'))
    const seconds = length < 0 ? -length / fake.tps : length
    path.transact(fake.tps * seconds, bytes.parse(Number(after('-r').split(',')[0])), family)
    for (let index = 0; index < SAMPLES; index += 1) {
      yield `NETPERF_INTERIM_RESULT[${index}]=${fake.tps}.00`
      yield `NETPERF_INTERVAL[${index}]=${(seconds / SAMPLES).toFixed(3)}`
      // Here a test can block a measurement after its first sample.
      if (index === 0) await through('netperf', signal)
    }
    for (const name of latencies) yield `${name}_LATENCY=80`
    yield* [`THROUGHPUT=${fake.tps}.00`, 'THROUGHPUT_UNITS=Trans/s', 'LOCAL_TRANSPORT_RETRANS=0']
    yield `ELAPSED_TIME=${seconds.toFixed(2)}`
  }

  async function* output(role: Role, argv: readonly string[], signal: AbortSignal): AsyncGenerator<string> {
    if (argv[0] === 'netperf') yield* netperf(argv, signal)
    else if (argv[0] === 'ip') yield path.link(role)
    else if (argv[0] === 'cat') yield* path.tcpCounters(role)
    else throw new LabError('tool_missing', `The fake has no ${argv[0]}.`, 'Teach it.')
  }

  async function* exec(target: Target, argv: readonly string[], context: CallContext): AsyncGenerator<ExecOutput> {
    const commandId = (commands += 1)
    const role = target === SERVER ? SERVER : CLIENT
    context.emit({ type: 'command.started', commandId, where: target, typed: argv.join(' ') })
    for await (const text of output(role, argv, context.signal)) {
      context.emit({ type: 'command.output', commandId, stream: 'stdout', text })
      yield { type: 'line', stream: 'stdout', text }
    }
    context.emit({ type: 'command.ended', commandId, exitCode: 0, signal: null })
    yield { type: 'exit', code: 0, signal: null }
  }

  function makePods(variant: PlacementVariant): Placement {
    path.makePods(settings)
    const pod = (role: Role, one: number, node = one) => ({
      role,
      name: `pod${one}`,
      node: `node${node}`,
      addresses: { ipv4: `10.0.${one}.2`, ipv6: `fd00:${one}::2` },
    })
    const serverNode = variant === 'same-node' ? 1 : 2
    const pods = [pod(CLIENT, 1), pod(SERVER, 2, serverNode)]
    const cpus = cpusFor(cpuPlacementIn(settings), [CLIENT, SERVER], [0, 1])
    placement = { madeAt: epochMs.parse(1), variant, pods, cpus }
    return placement
  }

  const fake: FakeTestbed = {
    kind,
    id,
    primitives: {
      ...everyPrimitive,
      bpf: 'It has no kernel.',
      kernels: 'It has no kernel.',
      'quick-switch': slow ? 'It takes seconds.' : null,
    },
    settable: Object.keys(settings),
    choices: new Map(),
    roles: [CLIENT, SERVER],
    setup: null,
    resources: async () => ({ measuring: [counted ? 'counted:0' : 'host'], changing: [] }),
    placements: new Set(['other-node', 'same-node']),
    changes: null,
    rest: null,
    checks: [],
    tps: 10_000,
    at: epochMs.parse(1),
    passed,
    hold(door, options) {
      const shut = latch(options)
      doors.set(door, shut)
      return shut
    },
    fail(door, error) {
      doors.set(door, error)
    },
    async incarnation({ signal }) {
      await through('facts', signal)
      return id
    },
    async facts({ signal }) {
      await through('facts', signal)
      return facts()
    },
    async *preflight({ signal }) {
      await through('preflight', signal)
      const shared = { problem: null, remedy: null, remedyCommand: null, blocks: [] }
      yield { id: 'kernel', title: 'Kernel', status: 'passed', seen: '6.18.0', ...shared }
      yield* fake.checks
    },
    async read({ signal }) {
      await through('read', signal)
      return state()
    },
    async set(change, { signal }) {
      await through('set', signal)
      settings = { ...settings, ...change }
      path.switchNodes(settings)
      return state()
    },
    async deploy(_workload, variant, { signal }) {
      await through('deploy', signal)
      return makePods(variant)
    },
    switchAndDeploy: slow
      ? async (change, _workload, variant, { signal }) => {
          await through('switchAndDeploy', signal)
          settings = { ...settings, ...change }
          path.switchNodes(settings)
          makePods(variant)
          return state()
        }
      : null,
    async remove({ signal }) {
      await through('remove', signal)
      path.removePods()
      placement = null
    },
    exec,
    close: () => through('close', new AbortController().signal),
  }
  return fake
}
