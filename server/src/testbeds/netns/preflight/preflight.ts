/** The preflight: tries the needs of the labs, and yields each result as it arrives. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Reading } from '@expresslane/shared/testbed/reading'
import type { Primitive, Primitives } from '@expresslane/shared/testbed/primitive'
import type { Blocks, Check } from '@expresslane/shared/testbed/testbed'
import { netperfProbeArgv } from '../../../tools/netperf/netperf.ts'
import { parseVersion, versionArgv, versionedProgram, type VersionedTool } from '../../../tools/versions.ts'
import { attempt, failed, failedBy, passed } from '../../check.ts'
import type { CallContext } from '../../testbed.ts'
import { cpuChecks, demoCheck, iperf3Rows, iproute2Check, kernelChecks } from './checks.ts'
import type { Machine } from '../../machine/machine.ts'
import { lackOfFiles } from '../../machine/open-files.ts'
import type { Console } from '../commands/console.ts'
import { remedyFor } from '../commands/programs.ts'
import { readCpu, readKernel, readLoad } from '../facts.ts'
import { iptablesTrials, nftTrials, type Trial } from './trials.ts'
import { hasNodes, type Topology } from '../../topology.ts'

interface Parts {
  readonly machine: Machine
  readonly console: Console
  readonly topology: Topology
  /** Builds the path when it is not there, and reads it. */
  readPath(): Promise<readonly Reading[]>
  /** Runs a command with input in a network of the testbed that no pod is in. @returns its output */
  tryIn(argv: readonly string[], input: string): Promise<readonly string[]>
}

/** Whether a machine of its own starts; nothing for a machine that always runs. @returns whether it runs */
async function* wakeChecks(machine: Machine, { signal }: CallContext): AsyncGenerator<Check, boolean> {
  if (machine.rest === null) return true
  const needs = await machine.rest.checks()
  yield* needs
  if (needs.some(({ status }) => status === 'failed')) return false
  const title = `${machine.name.charAt(0).toUpperCase()}${machine.name.slice(1)} boots`
  const woken = await attempt(machine.wake(signal), signal)
  if (woken instanceof LabError) {
    yield failedBy('boot', title, woken, 'all')
    return false
  }
  yield passed('boot', title, `It runs Linux ${await readKernel(machine)}.`)
  return true
}

function* pathChecks(path: readonly Reading[] | LabError, { machine, topology }: Parts): Generator<Check> {
  // In a machine of its own there is nobody to permit it.
  const namespacesTitle =
    machine.rest === null ? 'This user can create network namespaces' : 'Network namespaces can be created'
  const pathTitle = `The path ${topology.path} can be built`
  if (!(path instanceof LabError)) {
    yield passed('user-namespaces', namespacesTitle, 'The test namespaces were created.')
    const seen = hasNodes(topology) ? `${path.length} devices can be read.` : 'Each deploy builds it.'
    yield passed('path', pathTitle, seen)
  } else if (path.code === 'namespaces_denied') {
    yield failedBy('user-namespaces', namespacesTitle, path, 'all')
  } else {
    // Without a tool the namespaces were not tried; any later failure means that they were created.
    if (path.code !== 'tool_missing')
      yield passed('user-namespaces', namespacesTitle, 'The test namespaces were created.')
    yield failedBy('path', pathTitle, path, 'all')
  }
}

/** The subject of a check, and the capabilities that it blocks when it fails. */
interface Subject {
  readonly id: string
  readonly title: string
  readonly blocks: Blocks
}

async function programCheck(program: string, { id, title, blocks }: Subject, machine: Machine): Promise<Check | null> {
  if ((await machine.findProgram(program)) !== null) return null
  const fix = await remedyFor(program, machine)
  return failed(id, title, `${program} is not in ${machine.toolPath}`, fix, blocks)
}

async function* netperfChecks({ machine, console }: Parts, context: CallContext): AsyncGenerator<Check> {
  const title = 'netperf and netserver are installed'
  const subject: Subject = { id: 'netperf', title, blocks: 'topology' }
  const missing =
    (await programCheck('netperf', subject, machine)) ?? (await programCheck('netserver', subject, machine))
  if (missing !== null) {
    yield missing
    return
  }
  const lines = await attempt(console.run({ where: null, argv: netperfProbeArgv }, context), context.signal)
  if (lines instanceof LabError) {
    yield failedBy('netperf', title, lines, 'topology')
    return
  }
  const output = lines.join('\n')
  yield passed('netperf', title, `netperf ${parseVersion('netperf', output) ?? 'of unknown version'}`)
  // The packages of the distributions that counted machines are made of have it.
  if (machine.instructionsPerMicrosecond === null) yield demoCheck(output)
}

async function iproute2(parts: Parts, path: readonly Reading[] | LabError, context: CallContext): Promise<Check> {
  const title = 'The ip command can set and show the sizes of both families'
  const missing = await programCheck('ip', { id: 'iproute2', title, blocks: 'all' }, parts.machine)
  if (missing !== null) return missing
  const argv = versionArgv('iproute2')
  const lines = await attempt(parts.console.run({ where: null, argv }, context), context.signal)
  if (lines instanceof LabError) return failedBy('iproute2', title, lines, 'all')
  // Without native devices there is nothing to see, and the version has to do.
  const seen = path instanceof LabError || !path.some(({ native }) => native) ? null : path
  return iproute2Check(lines.join('\n'), seen)
}

/** Loads the programs that need the kernel's help. @returns the first error; null if all were loaded */
async function tryAll(trials: readonly Trial[], { tryIn }: Parts, { signal }: CallContext): Promise<LabError | null> {
  for (const { argv, input } of trials) {
    const tried = await attempt(tryIn(argv, input), signal)
    if (tried instanceof LabError) return tried
  }
  return null
}

/** A primitive that takes a program. */
interface ProgramOf extends Subject {
  readonly id: VersionedTool
  readonly blocks: Primitive[]
  more?(version: string | null): string
  readonly trials?: readonly Trial[]
}

/** Programs that only some labs need. Whether rules can be loaded is tried where the topology needs them. */
const someLabsNeed: readonly ProgramOf[] = [
  {
    id: 'iperf3',
    title: 'iperf3 is installed (needed for iperf3 measurements)',
    blocks: ['iperf3'],
    more: (version) => `; ${iperf3Rows(version)}`,
  },
  { id: 'tcpdump', title: 'tcpdump is installed (needed for packet captures)', blocks: ['capture'] },
  {
    id: 'nftables',
    title: 'nftables is installed (needed for its rules, and to track connections)',
    blocks: ['nftables'],
    trials: nftTrials,
  },
  {
    id: 'iptables',
    title: 'iptables is installed (needed for its rules)',
    blocks: ['iptables'],
    trials: iptablesTrials,
  },
  { id: 'curl', title: 'curl is installed (needed to open pages)', blocks: ['pages'] },
  { id: 'drill', title: 'drill is installed (needed to ask name servers)', blocks: ['pages'] },
  { id: 'ping', title: 'ping is installed (needed to send packets of a given size)', blocks: ['pages'] },
  { id: 'unbound', title: 'unbound is installed (needed for DNS64)', blocks: ['pages'] },
  { id: 'tayga', title: 'tayga is installed (needed to translate in user space)', blocks: ['tun'] },
]

/** Nobody misses a program for a primitive that the machine refuses anyway. */
function isRefused(blocks: Primitive, { primitives }: Machine): boolean {
  const has: Partial<Primitives> = primitives
  return (has[blocks] ?? null) !== null
}

async function* someLabsChecks(parts: Parts, context: CallContext): AsyncGenerator<Check> {
  const { machine, console, topology } = parts
  const { tools, elsewhere = [] } = topology
  for (const { id, title, blocks, more, trials = [] } of someLabsNeed) {
    if (![...tools, ...elsewhere].includes(id) || blocks.some((one) => isRefused(one, machine))) continue
    const missing = await programCheck(versionedProgram(id), { id, title, blocks }, machine)
    if (missing !== null) {
      yield missing
      continue
    }
    const lines = await attempt(console.run({ where: null, argv: versionArgv(id) }, context), context.signal)
    const refused = tools.includes(id) ? await tryAll(trials, parts, context) : null
    if (lines instanceof LabError) yield failedBy(id, title, lines, blocks)
    else if (refused !== null) yield failedBy(id, title, refused, blocks)
    else {
      const version = parseVersion(id, lines.join('\n'))
      yield passed(id, title, `${id} ${version ?? 'of unknown version'}${more?.(version) ?? ''}`)
    }
  }
}

async function* programChecks({ machine, topology }: Parts): AsyncGenerator<Check> {
  for (const { program, what, blocks } of topology.programs ?? []) {
    if (isRefused(blocks, machine)) continue
    const title = `${program} is installed (needed ${what})`
    const missing = await programCheck(program, { id: program, title, blocks: [blocks] }, machine)
    if (missing !== null) yield missing
  }
}

/** tayga makes a TUN device. That takes no root where everybody may open the file, as udev has it. */
function* tunChecks({ machine, topology }: Parts): Generator<Check> {
  if (!topology.tools.includes('tayga')) return
  const [id, title] = ['tun', 'TUN devices can be made (needed to translate in user space)']
  const refused = machine.primitives.tun
  if (refused === null) {
    yield passed(id, title, '/dev/net/tun can be opened.')
    return
  }
  const fix = {
    remedy:
      'Load the module tun, and let everybody open its file: a TUN device still needs rights in its network namespace. In a container, give it /dev/net/tun. The other translators and the native path work without it.',
    remedyCommand: 'sudo modprobe tun && sudo chmod 0666 /dev/net/tun',
  }
  yield failed(id, title, refused, fix, ['tun'])
}

/** Nobody misses a device where the machine lacks it anyway. */
async function* deviceChecks({ machine, topology, tryIn }: Parts, { signal }: CallContext): AsyncGenerator<Check> {
  for (const { id, title, argv, input, says, remedy } of topology.trials ?? []) {
    if (isRefused(id, machine)) continue
    const tried = await attempt(tryIn(argv, input), signal)
    if (!(tried instanceof LabError)) {
      yield passed(id, title, says(tried))
      continue
    }
    const fix = { ...(await remedyFor('ip', machine)), remedy }
    yield { ...failed(id, title, tried.detail ?? tried.message, fix, [id]), problem: tried.code }
  }
}

/** The checks of each machine, with its name where there are several. */
async function* ofEach(machine: Machine, checksOf: (one: Machine) => Promise<Check[]>): AsyncGenerator<Check> {
  const { parts } = machine
  for (const one of parts ?? [machine]) {
    for (const check of await checksOf(one)) {
      const { id, title } = check
      const named = title.endsWith(one.name) ? title : `${title}: ${one.name}`
      yield parts === undefined ? check : { ...check, id: `${id}-${one.name}`, title: named }
    }
  }
}

/** @throws `signal.reason` when cancelled; any other failure is a failed check */
export async function* preflight(parts: Parts, context: CallContext): AsyncGenerator<Check, void, void> {
  const { machine } = parts
  const { tools, kernels = [] } = parts.topology
  const full = lackOfFiles()
  if (full !== null) {
    // All other checks would fail for the same reason.
    yield failedBy('open-files', 'This server can open the files that a command needs', full, 'all')
    return
  }
  if (!(yield* wakeChecks(machine, context))) return
  yield* ofEach(machine, async (one) => (kernels.length > 0 ? kernelChecks(await readKernel(one), kernels) : []))
  const path = await attempt(parts.readPath(), context.signal)
  yield* pathChecks(path, parts)
  if (!(path instanceof LabError)) yield* (await machine.checks?.(path, context.signal)) ?? []
  yield await iproute2(parts, path, context)
  if (tools.includes('netperf')) yield* netperfChecks(parts, context)
  yield* someLabsChecks(parts, context)
  yield* tunChecks(parts)
  yield* programChecks(parts)
  yield* deviceChecks(parts, context)
  // On a machine that counts instructions, other load of the host does not show.
  if (machine.instructionsPerMicrosecond !== null) return
  yield* ofEach(machine, async (one) => cpuChecks(await readCpu(one), await readLoad(one), one.name))
}
