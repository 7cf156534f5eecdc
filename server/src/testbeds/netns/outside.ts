/** The outer edges of the testbed: the environment, files of /proc, the clock and random ids. */
import { constants, readFileSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { delimiter, join } from 'node:path'
import { LabError } from '@expresslane/shared/wire/errors'
import { userFor, type User } from './user.ts'

export interface Outside {
  /** The environment of commands: PATH, and the locale that the parsers expect. */
  readonly env: { readonly PATH: string; readonly LC_ALL: 'C' }
  /** Who commands run as; null for the server's own user. */
  readonly user: User | null
  /** A file's text; null if there is none or it can't be read. */
  readText(path: string): Promise<string | null>
  /** Deadline in milliseconds for a command that ends at once unless it hangs. */
  readonly commandMs: number
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** A new incarnation's id. */
  newId(): string
}

/** An ordinary user's PATH often lacks the folders where `ip` and `tcpdump` are. */
const systemFolders = ['/usr/sbin', '/sbin']

export function toolPath(path: string | undefined): string {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...folders, ...systemFolders.filter((folder) => !folders.includes(folder))].join(delimiter)
}

export const realOutside: Pick<Outside, 'readText' | 'now' | 'newId'> = {
  async readText(path) {
    try {
      return await readFile(path, 'utf8')
    } catch {
      // Callers treat absent and unreadable alike, as unknown.
      return null
    }
  },
  now: () => Date.now(),
  newId: () => `netns-${randomBytes(6).toString('hex')}`,
}

/** The user for this process's testbeds. */
export function presentUser(): User | null {
  const read = (name: string): string => readFileSync(`/proc/self/${name}`, 'latin1')
  const uid = process.geteuid?.() ?? null
  if (uid !== 0) return null
  return userFor({ uid, status: read('status'), uidMap: read('uid_map'), gidMap: read('gid_map') })
}

/** The Debian package of each program. */
const packageOf = new Map([
  ['bash', 'bash'],
  ['cat', 'coreutils'],
  ['ip', 'iproute2'],
  ['ip6tables', 'iptables'],
  ['ip6tables-restore', 'iptables'],
  ['iptables', 'iptables'],
  ['iptables-restore', 'iptables'],
  ['iperf3', 'iperf3'],
  ['mount', 'mount'],
  ['netperf', 'netperf'],
  ['netserver', 'netperf'],
  ['nft', 'nftables'],
  ['nsenter', 'util-linux'],
  ['pgrep', 'procps'],
  ['setpriv', 'util-linux'],
  ['taskset', 'util-linux'],
  ['tcpdump', 'tcpdump'],
  ['tee', 'coreutils'],
  ['unshare', 'util-linux'],
  ['xargs', 'findutils'],
])

/** The command that installs a program; null if its package is not known. */
export function installCommand(program: string): string | null {
  const name = packageOf.get(program)
  return name === undefined ? null : `sudo apt-get install ${name}`
}

/** The path of a program; null when PATH has none. */
export async function findProgram(program: string, env: Outside['env']): Promise<string | null> {
  const candidates = program.includes('/') ? [program] : env.PATH.split(delimiter).map((dir) => join(dir, program))
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

/** @throws LabError `tool_missing` when PATH has no such program */
export async function requireProgram(program: string, env: Outside['env']): Promise<void> {
  if ((await findProgram(program, env)) !== null) return
  const command = installCommand(program)
  throw new LabError(
    'tool_missing',
    `The program ${program} is not on this machine.`,
    `Install ${packageOf.get(program) ?? program}, then try again.`,
    { detail: `PATH=${env.PATH}`, ...(command === null ? {} : { remedyCommand: command }) },
  )
}
