/** QEMU as a process of this machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access, open } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { LabError } from '@expresslane/shared/base/errors'
import type { Control } from '../agent/pause.ts'
import { createControl, versionFrom } from './control.ts'
import { INSTALL, PACK, type Prepared } from './prepared.ts'
import { QEMU, qemuArgv } from './qemu-argv.ts'

/** The descriptors that QEMU starts with, besides the three that every process has. */
const descriptors = { agent: 3, control: 4, profiler: 5, vmlinux: 6, initrd: 7, plugin: 8 } as const

const argv = [
  // When the server ends, for any reason, the kernel ends QEMU.
  'setpriv',
  '--pdeathsig',
  'KILL',
  ...qemuArgv({
    agent: `socket,fd=${descriptors.agent}`,
    more: [
      '-serial',
      'stdio',
      '-chardev',
      `socket,id=control,fd=${descriptors.control}`,
      '-mon',
      'chardev=control,mode=control',
    ],
    // By descriptor: the testbed's user may not be able to enter the folders.
    vmlinux: `/dev/fd/${descriptors.vmlinux}`,
    initrd: `/dev/fd/${descriptors.initrd}`,
  }),
]
const pluginArgv = ['-plugin', `file=/dev/fd/${descriptors.plugin},fd=${descriptors.profiler}`]

/** The profiler's plugin. */
const profilerFile = fileURLToPath(new URL('../../../native/bin/profiler-x64.so', import.meta.url))

/** The last of what QEMU and the machine's console print is kept, for errors. */
export const WORDS_KEPT = 4000

export interface Qemu {
  /** Its process on this machine; null elsewhere. */
  readonly pid: number | null
  readonly agent: Duplex
  readonly control: Control
  /** Such as `7.2.22`. Never rejects. */
  readonly version: Promise<string>
  /** The profiler, which QEMU has loaded; null without it. */
  readonly profiler: Duplex | null
  /** The last words of QEMU and of the machine's console. */
  words(): string
  /** Resolves when it has ended. Never rejects. */
  readonly ended: Promise<void>
  /** Why it has ended; null if its last words say so. */
  reason(): Error | null
  /** Lets it go on after SIGSTOP: while it is stopped, it answers nothing. */
  goOn(): void
  kill(): void
}

export interface QemuSurroundings {
  readonly env: Readonly<Record<string, string>>
  /** QEMU loads the profiler; a QEMU that is built without plugins then ends at once. @defaultValue false */
  readonly profiles?: boolean
  /** Who it runs as; null for the server's own user. */
  readonly user: { readonly uid: number; readonly gid: number } | null
}

async function isIn(folder: string): Promise<boolean> {
  try {
    await access(join(folder, QEMU), constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @param path the folders where programs are looked for */
export async function hasQemu(path: string): Promise<boolean> {
  return (await Promise.all(path.split(delimiter).map(isIn))).includes(true)
}

function missingError(detail: string, cause?: unknown): LabError {
  return new LabError('tool_missing', 'QEMU could not be started.', 'Install qemu-system-x86, then try again.', {
    remedyCommand: INSTALL,
    detail,
    cause,
  })
}

/** @throws LabError `tool_missing`, `testbed_unavailable` if its files are gone */
export type StartQemu = (prepared: Prepared, surroundings: QemuSurroundings, signal: AbortSignal) => Promise<Qemu>

export const startQemu: StartQemu = async (prepared, { env, user, profiles = false }) => {
  const folders = env['PATH'] ?? ''
  // setpriv, which starts it, would only end.
  if (!(await hasQemu(folders))) throw missingError(`${QEMU} is not in ${folders}`)
  const files = await Promise.all(
    [prepared.vmlinux, prepared.initrd, profilerFile].map((path) => open(path, 'r')),
  ).catch((cause: unknown) => {
    throw new LabError('testbed_unavailable', "The counted machine's files are gone.", 'Prepare it again.', {
      remedyCommand: PACK,
      cause,
    })
  })
  const [program = '', ...args] = profiles ? [...argv, ...pluginArgv] : argv
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', ...files.map((file) => file.fd)] as const
  const ids = user === null ? {} : { uid: user.uid, gid: user.gid }
  const child = spawn(program, args, { env: { ...env }, cwd: '/', stdio: [...stdio], ...ids })
  const ended = Promise.withResolvers<void>()
  child.once('close', () => ended.resolve())
  // At once: output that nobody listens to when QEMU ends is dropped.
  let printed = ''
  for (const output of [child.stdout, child.stderr]) {
    output?.on('data', (chunk: Buffer) => {
      printed = `${printed}${chunk.toString('utf8')}`.slice(-WORDS_KEPT)
    })
  }
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw missingError(error instanceof Error ? error.message : String(error), error)
  } finally {
    await Promise.all(files.map((file) => file.close()))
  }
  const [agent, control, profiler] = [descriptors.agent, descriptors.control, descriptors.profiler].map(
    (fd): unknown => child.stdio[fd as 3],
  )
  const isOpen = (one: unknown): one is Duplex => one instanceof Duplex
  if (!isOpen(agent) || !isOpen(control) || !isOpen(profiler) || child.pid === undefined) {
    throw new Error('QEMU has no pipes')
  }
  // It ends with QEMU, which may have ended by now.
  profiler.on('error', () => {})
  return {
    pid: child.pid,
    agent,
    version: versionFrom(control),
    control: createControl(control),
    profiler: profiles ? profiler : null,
    words: () => printed,
    ended: ended.promise,
    reason: () => null,
    goOn: () => void child.kill('SIGCONT'),
    kill: () => void child.kill('SIGKILL'),
  }
}
