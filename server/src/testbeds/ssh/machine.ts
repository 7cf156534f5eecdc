/** A host that ssh reaches, as a place of network namespaces. */
import { LabError } from '@expresslane/shared/base/errors'
import { resource } from '../resources.ts'
import { steadyTime } from '../../time.ts'
import { nodeportProgram } from '../../tools/nodeport/argv.ts'
import { machineOf } from '../agent/machine.ts'
import { createOpened } from '../agent/opened.ts'
import type { Machine } from '../machine/machine.ts'
import { cpusFrom, kernelFunctions, primitivesOf, rightsFiles, rightsFrom, type ReadText } from '../machine/rights.ts'
import { runProcess } from '../machine/run.ts'
import { linesOf } from '../target.ts'
import { typedLine } from '../typed.ts'
import { connectHost, type HostOptions } from './connection.ts'

/** Deadline in milliseconds for a command that ends at once unless it hangs: the connection takes part of it. */
const COMMAND_MS = 60_000

function closedError(destination: string): LabError {
  return new LabError('testbed_gone', `The connection to ${destination} is closed.`, 'Start the step again.')
}

type Running = Pick<Machine, 'name' | 'start' | 'readText'>

/** @returns the output of a command on the host @throws LabError `tool_failed`, `testbed_gone`; `signal.reason` */
export async function output(
  argv: readonly string[],
  machine: Running,
  signal: AbortSignal,
  input = '',
): Promise<string> {
  const lines = await linesOf(runProcess({ argv, input, deadlineMs: COMMAND_MS }, machine, signal), typedLine(argv))
  return lines.join('\n')
}

/** The host's files that decide about its primitives. Its list of functions has megabytes, so the host looks through it. */
async function readHost(machine: Running, signal: AbortSignal) {
  const release = (await machine.readText('/proc/sys/kernel/osrelease'))?.trim() ?? ''
  const functions = ['grep', '-E', ` (${kernelFunctions.join('|')})([[:space:]]|$)`, '/proc/kallsyms']
  const texts = new Map<string, string | null>(
    await Promise.all(
      rightsFiles(release).map(async (path): Promise<[string, string | null]> => {
        const isFunctions = path === '/proc/kallsyms'
        return [
          path,
          isFunctions ? await output(functions, machine, signal).catch(() => '') : await machine.readText(path),
        ]
      }),
    ),
  )
  const read: ReadText = (path) => texts.get(path) ?? null
  const uid = Number(await output(['id', '-u'], machine, signal))
  const tun = await output(['sh', '-c', 'test -r /dev/net/tun && echo yes; :'], machine, signal)
  return { rights: rightsFrom(read, { uid, tun: tun === 'yes' }), cpus: cpusFrom(read) }
}

/**
 * Connects to the host, because its kernel and its rights decide what its machine has. A connection that ends is made again
 * with the next use.
 *
 * @throws LabError as {@link connectHost}; `signal.reason`
 */
export async function createSshMachine(options: HostOptions, signal: AbortSignal): Promise<Machine> {
  const { destination } = options
  const places = createOpened(
    (until) => connectHost(options, until),
    () => closedError(destination),
  )
  const host = await places.wake(signal)
  const { helper } = host
  const common = machineOf(places, host.toolPath)
  // The host has the helper in another place than this machine.
  const there = (program: string): string => (program === nodeportProgram ? helper : program)
  const { rights, cpus } = await readHost({ ...common, name: destination }, signal).catch(async (error: unknown) => {
    await places.end()
    throw error
  })
  return {
    ...common,
    kind: 'ssh',
    instructionsPerMicrosecond: null,
    name: destination,
    resources: { measuring: [resource.parse(`ssh:${destination.replaceAll(/[^A-Za-z0-9._-]/g, '_')}`)], changing: [] },
    rest: null,
    madeOf: () => Promise.resolve({}),
    start: (process) => common.start({ ...process, argv: process.argv.map(there) }),
    findProgram: (program) => common.findProgram(there(program)),
    takeOver: null,
    kernels: null,
    cpus,
    primitives: {
      ...primitivesOf(rights, cpus),
      profile: 'The kernel of a host over ssh is not sampled: choose the counted machine.',
    },
    commandMs: COMMAND_MS,
    now: steadyTime.now,
    profiler: () =>
      Promise.reject(new LabError('bad_request', 'A host over ssh makes no profile.', 'Choose the counted machine.')),
  }
}
