/** The preflight: tries what the labs need, and yields each result as it arrives. */
import { LabError, toLabError } from '@expresslane/shared/wire/errors'
import type { Reading } from '@expresslane/shared/testbed/reading'
import type { Blocks, Check } from '@expresslane/shared/testbed/testbed'
import { netperfProbeArgv } from '../../tools/netperf/netperf.ts'
import { parseVersion, versionArgv, type VersionedTool } from '../../tools/versions.ts'
import { failed, failedBy, passed } from '../check.ts'
import type { CallContext } from '../testbed.ts'
import { cpuChecks, demoCheck, iperf3Rows, iproute2Check, kernelChecks } from './checks.ts'
import { THIS_MACHINE, type Console } from './console.ts'
import { readCpu, readKernel, readLoad } from './facts.ts'
import { findProgram, installCommand, type Outside } from './outside.ts'
import { iptablesTrials, nftTrials, type Trial } from './trials.ts'
import type { Topology } from './topologies/topology.ts'

interface Parts {
  readonly outside: Outside
  readonly console: Console
  readonly topology: Topology
  /** Builds the path when it is not there, and reads it. */
  readPath(): Promise<readonly Reading[]>
  /** Runs a command with input in a network of the testbed that no pod is in. */
  tryIn(argv: readonly string[], input: string): Promise<void>
}

const namespacesTitle = 'This user can create network namespaces'

async function attempt<T>(work: Promise<T>, signal: AbortSignal): Promise<T | LabError> {
  try {
    return await work
  } catch (error) {
    // A cancel is not a finding.
    signal.throwIfAborted()
    return toLabError(error)
  }
}

function* pathChecks(path: readonly Reading[] | LabError, topology: Topology): Generator<Check> {
  const pathTitle = `The path ${topology.path} can be built`
  if (!(path instanceof LabError)) {
    yield passed('user-namespaces', namespacesTitle, 'The test namespaces were created.')
    const seen = topology.standing === null ? 'Each deploy builds it.' : `${path.length} devices can be read.`
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

/** What a check is about, and what it blocks when it fails. */
interface Subject {
  readonly id: string
  readonly title: string
  readonly blocks: Blocks
}

async function programCheck(program: string, { id, title, blocks }: Subject, outside: Outside): Promise<Check | null> {
  if ((await findProgram(program, outside.env)) !== null) return null
  const fix = { remedy: `Install ${program}.`, remedyCommand: installCommand(program) }
  return failed(id, title, `${program} is not in ${outside.env.PATH}`, fix, blocks)
}

async function* netperfChecks({ outside, console }: Parts, context: CallContext): AsyncGenerator<Check> {
  const title = 'netperf and netserver are installed'
  const subject: Subject = { id: 'netperf', title, blocks: 'topology' }
  const missing =
    (await programCheck('netperf', subject, outside)) ?? (await programCheck('netserver', subject, outside))
  if (missing !== null) {
    yield missing
    return
  }
  const lines = await attempt(console.run({ where: THIS_MACHINE, argv: netperfProbeArgv }, context), context.signal)
  if (lines instanceof LabError) {
    yield failedBy('netperf', title, lines, 'topology')
    return
  }
  const output = lines.join('\n')
  yield passed('netperf', title, `netperf ${parseVersion('netperf', output) ?? 'of unknown version'}`)
  yield demoCheck(output)
}

async function iproute2(parts: Parts, path: readonly Reading[] | LabError, context: CallContext): Promise<Check> {
  const title = 'The ip command can set and show the sizes of both families'
  const missing = await programCheck('ip', { id: 'iproute2', title, blocks: 'all' }, parts.outside)
  if (missing !== null) return missing
  const argv = versionArgv('iproute2')
  const lines = await attempt(parts.console.run({ where: THIS_MACHINE, argv }, context), context.signal)
  if (lines instanceof LabError) return failedBy('iproute2', title, lines, 'all')
  // Without native devices there is nothing to see, and the version has to do.
  const seen = path instanceof LabError || parts.topology.standing === null ? null : path
  return iproute2Check(lines.join('\n'), seen)
}

/** Loads what needs the kernel's help. @returns the first error; null if all of it was loaded */
async function tryAll(trials: readonly Trial[], { tryIn }: Parts, { signal }: CallContext): Promise<LabError | null> {
  for (const { argv, input } of trials) {
    const tried = await attempt(tryIn(argv, input), signal)
    if (tried instanceof LabError) return tried
  }
  return null
}

/** Programs that only some labs need. Whether rules can be loaded is tried where the topology needs them. */
const someLabsNeed: readonly (Subject & {
  readonly id: VersionedTool
  more(version: string | null): string
  readonly trials?: readonly Trial[]
})[] = [
  {
    id: 'iperf3',
    title: 'iperf3 is installed (needed for iperf3 measurements)',
    blocks: ['iperf3'],
    more: (version) => `; ${iperf3Rows(version)}`,
  },
  { id: 'tcpdump', title: 'tcpdump is installed (needed for packet captures)', blocks: ['capture'], more: () => '' },
  {
    id: 'nftables',
    title: 'nftables is installed (needed for NodePort forwarding)',
    // It also reads back which rules there are.
    blocks: ['nodeport-nftables', 'nodeport-iptables'],
    more: () => '',
    trials: nftTrials,
  },
  {
    id: 'iptables',
    title: 'iptables is installed (needed for NodePort forwarding with iptables)',
    blocks: ['nodeport-iptables'],
    more: () => '',
    trials: iptablesTrials,
  },
]

async function* someLabsChecks(parts: Parts, context: CallContext): AsyncGenerator<Check> {
  const { outside, console, topology } = parts
  // Those of the other topology's labs are only looked for.
  const isNeeded = (id: VersionedTool): boolean => topology.standing !== null || topology.tools.includes(id)
  for (const { more, trials = [], ...subject } of someLabsNeed.filter(({ id }) => isNeeded(id))) {
    const { id, title, blocks } = subject
    const missing = await programCheck(versionArgv(id)[0] ?? id, subject, outside)
    if (missing !== null) {
      yield missing
      continue
    }
    const lines = await attempt(console.run({ where: THIS_MACHINE, argv: versionArgv(id) }, context), context.signal)
    const refused = topology.tools.includes(id) ? await tryAll(trials, parts, context) : null
    if (lines instanceof LabError) yield failedBy(id, title, lines, blocks)
    else if (refused !== null) yield failedBy(id, title, refused, blocks)
    else {
      const version = parseVersion(id, lines.join('\n'))
      yield passed(id, title, `${id} ${version ?? 'of unknown version'}${more(version)}`)
    }
  }
}

/** A node that forwards can do so in a kernel thread, which has to be found. */
function threadCheck({ outside, topology }: Parts): Promise<Check | null> {
  const title = 'pgrep is installed (needed to find kernel threads)'
  const subject: Subject = { id: 'pgrep', title, blocks: ['nodeport-thread'] }
  return topology.forwarders.length === 0 ? Promise.resolve(null) : programCheck('pgrep', subject, outside)
}

/** @throws `signal.reason` when cancelled; any other failure is a failed check */
export async function* preflight(parts: Parts, context: CallContext): AsyncGenerator<Check, void, void> {
  const { outside } = parts
  const { tools } = parts.topology
  if (tools.includes('netperf')) yield* kernelChecks(await readKernel(outside))
  const path = await attempt(parts.readPath(), context.signal)
  yield* pathChecks(path, parts.topology)
  yield await iproute2(parts, path, context)
  if (tools.includes('netperf')) yield* netperfChecks(parts, context)
  yield* someLabsChecks(parts, context)
  const missing = await threadCheck(parts)
  if (missing !== null) yield missing
  yield* cpuChecks(await readCpu(outside), await readLoad(outside))
}
