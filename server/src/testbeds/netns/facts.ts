/** This machine's fingerprint: kernel, distribution, CPU, load, versions. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { TestbedFacts } from '@expresslane/shared/testbed/testbed'
import { parseCpuModel } from '../../tools/cpuinfo.ts'
import { parseVersion, versionArgv, type VersionedTool } from '../../tools/versions.ts'
import type { CallContext } from '../testbed.ts'
import { THIS_MACHINE, type Console } from './console.ts'
import { findProgram, type Outside } from './outside.ts'

export interface Cpu {
  readonly model: string
  readonly count: number
  readonly governor: string | null
}

const UNKNOWN = 'unknown'

async function readProc(path: string, outside: Outside): Promise<string> {
  const text = await outside.readText(path)
  if (text !== null) return text
  throw new LabError(
    'testbed_unavailable',
    `${path} can't be read, and the testbed needs it.`,
    'Run Expresslane on Linux with /proc mounted.',
  )
}

/** The kernel's release, such as `6.18.44-amd64`. @throws LabError `testbed_unavailable` */
export async function readKernel(outside: Outside): Promise<string> {
  return (await readProc('/proc/sys/kernel/osrelease', outside)).trim()
}

/** CPUs as the kernel has them online. */
export async function readCpu(outside: Outside): Promise<Cpu> {
  const text = (await outside.readText('/proc/cpuinfo')) ?? ''
  const model = parseCpuModel(text) ?? UNKNOWN
  // Each architecture numbers its processors.
  const count = text.match(/^processor\s*:/gm)?.length ?? 1
  const governor = await outside.readText('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor')
  return { model, count, governor: governor?.trim() ?? null }
}

/** The one-minute load average. @throws LabError `testbed_unavailable` */
export async function readLoad(outside: Outside): Promise<number> {
  return Number.parseFloat(await readProc('/proc/loadavg', outside))
}

async function readOs(outside: Outside): Promise<string> {
  const text = (await outside.readText('/etc/os-release')) ?? ''
  return /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(text)?.[1] ?? UNKNOWN
}

export type Versions = Record<string, string>

/** tool -> version, of those that are installed. */
export async function readVersions(
  tools: readonly VersionedTool[],
  outside: Outside,
  console: Console,
  context: CallContext,
): Promise<Versions> {
  const versions = await Promise.all(
    tools.map(async (tool) => {
      const argv = versionArgv(tool)
      if ((await findProgram(argv[0] ?? '', outside.env)) === null) return []
      const version = parseVersion(tool, (await console.run({ where: THIS_MACHINE, argv }, context)).join('\n'))
      return version === null ? [] : [[tool, version] as const]
    }),
  )
  return Object.fromEntries(versions.flat())
}

export async function readFacts(
  incarnation: string,
  nodes: readonly string[],
  outside: Outside,
  versions: Versions,
): Promise<TestbedFacts> {
  const [kernel, os, cpu, load] = await Promise.all([
    readKernel(outside),
    readOs(outside),
    readCpu(outside),
    readLoad(outside),
  ])
  return {
    kind: 'netns',
    name: THIS_MACHINE,
    incarnation,
    kernel,
    os,
    cpu,
    load,
    nodes: [...nodes],
    versions,
    cluster: null,
  }
}
