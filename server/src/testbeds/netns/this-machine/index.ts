/** The machine that the server runs on, as the testbed's: its kernel's namespaces belong to a holder process. */
import { constants, readFileSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { steadyTime } from '../../../time.ts'
import type { Machine } from '../../machine/machine.ts'
import { processesHere } from '../../machine/process.ts'
import { ownCpus } from '../../machine/rights.ts'
import { startHolder } from './holder.ts'
import { createSampler } from './sampler.ts'
import { readRights, primitivesOf, type Rights } from '../../machine/rights.ts'
import { userFor, type User } from './user.ts'

export interface ThisMachineOptions {
  /** @defaultValue the server's own */
  readonly env?: NodeJS.ProcessEnv
  /** Reads files of /proc, /sys and /etc; null for missing files. */
  readonly readText?: Machine['readText']
  readonly now?: () => number
  /** The numbers of the CPUs that commands can run on. @defaultValue the CPUs of this process */
  readonly cpus?: readonly number[]
  /** @defaultValue the rights of this process */
  readonly rights?: Rights
  /** Time limit for commands that end at once. @defaultValue 10,000 ms; they take milliseconds */
  readonly commandDeadlineMs?: number
}

const COMMAND_MS = 10_000

/** An ordinary user's PATH often lacks the folders where `ip` and `tcpdump` are. */
const systemFolders = ['/usr/sbin', '/sbin']

export function toolPath(path: string | undefined): string {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...folders, ...systemFolders.filter((folder) => !folders.includes(folder))].join(delimiter)
}

/** A file's text; null if there is none or it can't be read: callers treat both as unknown. */
export async function readTextHere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return null
  }
}

/** The user for this process's testbeds. */
export function presentUser(): User | null {
  const read = (name: string): string => readFileSync(`/proc/self/${name}`, 'latin1')
  const uid = process.geteuid?.() ?? null
  if (uid !== 0) return null
  return userFor({ uid, status: read('status'), uidMap: read('uid_map'), gidMap: read('gid_map') })
}

async function findProgramIn(folders: string, program: string): Promise<string | null> {
  const candidates = program.includes('/') ? [program] : folders.split(delimiter).map((dir) => join(dir, program))
  for (const path of candidates) {
    try {
      await access(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/** Makes the machine that this process runs on. */
export function createThisMachine(options: ThisMachineOptions = {}): Machine {
  const { cpus = ownCpus(), commandDeadlineMs: commandMs = COMMAND_MS, readText = readTextHere } = options
  const { PATH: path, XTABLES_LIBDIR: extensions } = options.env ?? process.env
  const PATH = toolPath(path)
  // The set-up names the folder where its own iptables is used.
  const env = { PATH, LC_ALL: 'C', ...(extensions === undefined ? {} : { XTABLES_LIBDIR: extensions }) }
  const surroundings = { env, user: presentUser() }
  const machine: Machine = {
    ...processesHere(surroundings),
    resources: { measuring: ['host'], changing: [] },
    rest: null,
    madeOf: () => Promise.resolve({}),
    wake: () => Promise.resolve(),
    takeOver: null,
    kernels: null,
    cpus,
    primitives: primitivesOf(options.rights ?? readRights(), cpus),
    toolPath: PATH,
    commandMs,
    readText,
    findProgram: (program) => findProgramIn(PATH, program),
    now: options.now ?? steadyTime.now,
    hold: (signal) => startHolder(machine, surroundings, signal),
    profiler: () => createSampler(machine),
    // Everything that runs here has a holder, or ends by itself, as the sampler does without a reader.
    close: () => Promise.resolve(),
  }
  return machine
}
