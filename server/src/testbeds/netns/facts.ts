/** A machine's fingerprint: kernel, distribution, CPU, load, versions. */
import { LabError } from '@expresslane/shared/base/errors'
import type { TestbedFacts } from '@expresslane/shared/testbed/testbed'
import { parseCpuModel } from '../../tools/proc.ts'
import { parseVersion, versionArgv, versionedProgram, type VersionedTool } from '../../tools/versions.ts'
import type { CallContext } from '../testbed.ts'
import type { Machine } from '../machine/machine.ts'
import type { Topology } from '../topology.ts'
import type { Console } from './commands/console.ts'
import type { Site } from './network/network.ts'

export interface Cpu {
  readonly model: string
  readonly count: number
  readonly governor: string | null
}

const UNKNOWN = 'unknown'

async function readProc(path: string, machine: Machine): Promise<string> {
  const text = await machine.readText(path)
  if (text !== null) return text
  throw new LabError(
    'testbed_unavailable',
    `${path} can't be read, and the testbed needs it.`,
    'Run Expresslane on Linux with /proc mounted.',
  )
}

/** The kernel's release, such as `6.18.44-amd64`. @throws LabError `testbed_unavailable` */
export async function readKernel(machine: Machine): Promise<string> {
  return (await readProc('/proc/sys/kernel/osrelease', machine)).trim()
}

/** The same as a command that people see. @throws LabError `tool_failed` */
export async function readRelease(
  console: Console,
  { context, entrance }: Pick<Site, 'context' | 'entrance'>,
): Promise<string> {
  const [release = UNKNOWN] = await console.run({ where: null, argv: ['uname', '-r'] }, context, entrance)
  return release
}

/** CPUs as the kernel has them online. */
export async function readCpu(machine: Machine): Promise<Cpu> {
  const text = (await machine.readText('/proc/cpuinfo')) ?? ''
  const model = parseCpuModel(text) ?? UNKNOWN
  // Each architecture numbers its processors.
  const count = text.match(/^processor\s*:/gm)?.length ?? 1
  const governor = await machine.readText('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor')
  return { model, count, governor: governor?.trim() ?? null }
}

/** The one-minute load average. @throws LabError `testbed_unavailable` */
export async function readLoad(machine: Machine): Promise<number> {
  return Number.parseFloat(await readProc('/proc/loadavg', machine))
}

async function readOs(machine: Machine): Promise<string> {
  const text = (await machine.readText('/etc/os-release')) ?? ''
  return /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(text)?.[1] ?? UNKNOWN
}

type Versions = Record<string, string>

/** The versions of the installed tools, by tool. */
async function readVersions(
  tools: readonly VersionedTool[],
  machine: Machine,
  console: Console,
  context: CallContext,
): Promise<Versions> {
  const versions = await Promise.all(
    tools.map(async (tool) => {
      if ((await machine.findProgram(versionedProgram(tool))) === null) return []
      const asked = console.run({ where: null, argv: versionArgv(tool) }, context)
      const version = parseVersion(tool, (await asked).join('\n'))
      return version === null ? [] : [[tool, version] as const]
    }),
  )
  return Object.fromEntries(versions.flat())
}

interface FactParts {
  readonly topology: Pick<Topology, 'nodes' | 'tools'>
  readonly machine: Machine
  readonly console: Console
  /** Names the present namespaces, and the kernel that has them. */
  readonly builds: { incarnation(): string; kernel(): string | null }
}

/** Reads a testbed's facts. The versions of its tools are kept: asking four tools takes as long as reading the whole path. */
export function createFacts({ topology: { nodes, tools }, machine, console, builds }: FactParts) {
  /** By incarnation and kernel. */
  const known = new Map<string, Versions>()

  async function versions(context: CallContext): Promise<Versions> {
    const key = `${builds.incarnation()} ${builds.kernel()}`
    const found = known.get(key) ?? {
      ...(await readVersions(tools, machine, console, context)),
      ...(await machine.madeOf()),
    }
    known.set(key, found)
    return found
  }

  return {
    async read(context: CallContext): Promise<TestbedFacts> {
      await machine.wake(context.signal)
      const found = await versions(context)
      return readFacts(builds.incarnation(), nodes, machine, found)
    },
    /** Asks the tools for their versions again. */
    forget: () => known.clear(),
  }
}

async function readFacts(
  incarnation: string,
  nodes: readonly string[],
  machine: Machine,
  versions: Versions,
): Promise<TestbedFacts> {
  const [kernels, os, cpu, load] = await Promise.all([
    Promise.all((machine.parts ?? [machine]).map(readKernel)),
    readOs(machine),
    readCpu(machine),
    // The load of a counted machine does not show in the instructions that it counts.
    machine.instructionsPerMicrosecond === null ? readLoad(machine) : null,
  ])
  return {
    kind: machine.kind,
    name: machine.name,
    incarnation,
    kernel: [...new Set(kernels)].join(' and '),
    os,
    cpu,
    load,
    instructionsPerMicrosecond: machine.instructionsPerMicrosecond,
    nodes: [...nodes],
    versions,
    cluster: null,
  }
}
