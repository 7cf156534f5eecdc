/** The machines of the nodes as their kernels report them, read through the agents and the workload's pods. */
import { LabError } from '@expresslane/shared/base/errors'
import { parseCpuModel } from '../../../tools/proc.ts'
import { parseVersion, versionArgv, type VersionedTool } from '../../../tools/versions.ts'
import type { CallContext } from '../../testbed.ts'
import type { Cluster } from '../api/cluster.ts'
import { kubectlExec, type Console } from '../exec/console.ts'
import { execIn, type ExecTarget } from '../exec/exec.ts'

const GOVERNOR = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'
/** Each takes milliseconds. */
const READ_MS = 10_000

interface Parts {
  readonly cluster: Cluster
  readonly console: Console
}

/** A command's output, whatever its exit code; empty if it could not be run. @throws `signal.reason` */
async function outputOf(
  { cluster, console }: Parts,
  at: ExecTarget,
  argv: readonly string[],
  context: CallContext,
): Promise<string> {
  try {
    return await console.showAs(kubectlExec(at, argv), context, async (print) => {
      const lines: string[] = []
      // These commands end at once, so none is left running.
      for await (const item of execIn(cluster, at, argv, { signal: context.signal, deadlineMs: READ_MS })) {
        if (item.type === 'exit' || item.stream === 'stderr') continue
        lines.push(item.text)
        if (lines.length === 1) print(item.text)
      }
      return lines.join('\n')
    })
  } catch (error) {
    context.signal.throwIfAborted()
    if (!(error instanceof LabError)) throw error
    // A file that can't be read is unknown; the console has shown why.
    return ''
  }
}

/** Null: could not be read, or the kernel does not report it. */
export interface Pace {
  /** The average of the last minute. */
  readonly load: number | null
  readonly governor: string | null
}

/** Reads the load and the governor, which change from one measurement to the next. */
export async function readPace(parts: Parts, at: ExecTarget, context: CallContext): Promise<Pace> {
  const [load, governor] = (await outputOf(parts, at, ['cat', '/proc/loadavg', GOVERNOR], context)).split('\n')
  const read = Number.parseFloat(load ?? '')
  return { load: Number.isFinite(read) ? read : null, governor: governor?.trim() ?? null }
}

export async function readCpuModel(parts: Parts, at: ExecTarget, context: CallContext): Promise<string | null> {
  return parseCpuModel(await outputOf(parts, at, ['grep', '-m1', '^model name', '/proc/cpuinfo'], context))
}

/** tool -> version, of the tools that the container has. */
export async function readVersions(
  parts: Parts,
  at: ExecTarget,
  tools: readonly VersionedTool[],
  context: CallContext,
): Promise<Record<string, string>> {
  const found = await Promise.all(
    tools.map(async (tool) => {
      const version = parseVersion(tool, await outputOf(parts, at, versionArgv(tool), context))
      return version === null ? [] : [[tool, version] as const]
    }),
  )
  return Object.fromEntries(found.flat())
}
