/** Whether this machine can boot a counted machine; a test run says why not. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createCountedMachine, type CountedOptions } from '../../../src/testbeds/counted/machine.ts'
import { preparedMachines } from '../../../src/testbeds/counted/prepared.ts'
import type { Machine, ProcessEnd } from '../../../src/testbeds/machine/machine.ts'

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

/** Runs a process to its end. */
export async function runOn(machine: Machine, argv: readonly string[], input?: string): Promise<Ended> {
  const printed = { stdout: [] as string[], stderr: [] as string[] }
  const fed = input === undefined ? {} : { input }
  const child = await machine.start({ argv, ...fed, onLine: (stream, text) => void printed[stream].push(text) })
  return { ...(await child.closed), ...printed }
}
