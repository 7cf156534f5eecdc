/** Whether this machine can boot a counted machine; a test run says why not. */
import { accessSync, constants, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createCountedMachine, type CountedOptions } from '../../../src/testbeds/counted/machine.ts'
import { preparedMachines } from '../../../src/testbeds/counted/prepared.ts'
import type { Machine, ProcessEnd, ProcessStart } from '../../../src/testbeds/machine/machine.ts'
import { until } from '../netns/host.ts'

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function reason(): Promise<string | null> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  if (!folders.some((folder) => isProgram(join(folder, 'qemu-system-x86_64')))) return 'there is no QEMU here'
  return (await preparedMachines()).length === 0 ? 'there is no kernel here: npm run kernel -- newest' : null
}

/** Why there is none; null where it can be booted. */
export const lacksMachine = await reason()
if (lacksMachine !== null) process.stderr.write(`SKIPPED the tests of the counted machine: ${lacksMachine}\n`)

const NOBODY = { uid: 65_534, gid: 65_534 }

export function machineHere(options: Partial<CountedOptions> = {}): Machine {
  const env = { PATH: process.env['PATH'] ?? '' }
  return createCountedMachine({ env, user: process.getuid?.() === 0 ? NOBODY : null, ...options })
}

export interface Ended extends ProcessEnd {
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
}

/** Runs a process to its end. @param how its input, and the network namespace that it runs in */
export async function runOn(
  machine: Machine,
  argv: readonly string[],
  how: Pick<ProcessStart, 'input' | 'namespace'> = {},
): Promise<Ended> {
  const printed = { stdout: [] as string[], stderr: [] as string[] }
  const child = await machine.start({ argv, ...how, onLine: (stream, text) => void printed[stream].push(text) })
  return { ...(await child.closed), ...printed }
}

/** A process's CPU time in ticks of 10 ms. */
function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** Resolves when QEMU has used no CPU time for half a second. One that does not stand still takes 50 ticks of it. */
export async function standsStill(pid: number): Promise<void> {
  let [last, looks] = [cpuTicks(pid), 0]
  await until(() => {
    const now = cpuTicks(pid)
    looks = now === last ? looks + 1 : 0
    last = now
    return looks === 50
  }, AbortSignal.timeout(30_000))
}
