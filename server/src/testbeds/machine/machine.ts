/**
 * The seam between a testbed of network namespaces and the machine whose kernel has them: this machine, or a virtual
 * machine. The testbed knows topologies, commands and parsers; the machine knows how a process is started there, and
 * ended.
 */

import type { Primitives } from '@expresslane/shared/testbed/primitive'
import type { Reading } from '@expresslane/shared/testbed/reading'
import type { Check } from '@expresslane/shared/testbed/testbed'
import type { SharedResources } from '../resources.ts'
import type { Terminal, TerminalStart } from '../terminal.ts'
import type { Profiler, Rest } from '../testbed.ts'

/** A process to be started. */
export interface ProcessStart {
  readonly argv: readonly string[]
  /** Whether it has the server's own rights instead of the rights of the testbed's user. @defaultValue false */
  readonly asServer?: boolean
  /** The named network namespace that the machine starts it in. @defaultValue none: argv enters a namespace itself */
  readonly namespace?: string
  /** Written to its standard input, which is then closed. @defaultValue empty */
  readonly input?: string
  /** Resolves when it only works for other processes, and needs no time of its own. @defaultValue at its end */
  readonly ready?: Promise<void>
  /** Called for each line, without its end, as soon as it is printed; a last line without an end counts. */
  onLine(stream: 'stdout' | 'stderr', text: string): void
}

/** The end of a process. `code` is null if `signal`, such as `SIGTERM`, ended it. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** A process, and everything that it started. */
export interface RunningProcess {
  /** Resolves after the last line, once it has ended and its output is closed. Never rejects. */
  readonly closed: Promise<ProcessEnd>
  /** Ends all its processes: SIGTERM, and SIGKILL after a grace. Resolves when none of them runs. Never rejects. */
  end(): Promise<void>
}

/** How a command enters the place where it runs, and how to check that the place still exists. */
export interface Entrance {
  /** Whether it is entered with the server's own rights instead of those of the testbed's user. */
  readonly asServer?: boolean
  /** The named network namespace that the machine starts commands in. @defaultValue none: `enter` does it */
  readonly namespace?: string
  enter(argv: readonly string[]): string[]
  /** @throws LabError `testbed_gone` when the place itself has ended; `signal.reason` */
  check(signal: AbortSignal): Promise<void>
}

/**
 * Holds a testbed's named network namespaces (`ip netns`). When it ends, for any reason, everything that runs in
 * them ends, and the devices are gone.
 */
export interface NamespaceHolder extends Entrance {
  /** How a command enters a named network namespace. */
  inside(namespace: string): Entrance
  /** How a command that captures packets enters a named network namespace. */
  watching(namespace: string): Entrance
  /**
   * How a command enters a network namespace with the server's own rights, which programs in the kernel (BPF) need. It
   * leaves the machine's network and processes, but not its files and users.
   */
  withServerRights(namespace: string): Entrance
  /** For a command that enters nothing, and runs with the server's own rights while the namespaces are there. */
  readonly outside: Entrance
  /**
   * Opens a terminal with a shell in a named network namespace. It ends with the holder.
   *
   * @throws LabError `tool_missing`, `tool_failed`, `testbed_gone`
   */
  terminal(start: TerminalStart): Promise<Terminal>
  /** Aborted with `testbed_gone` when it has ended. */
  readonly gone: AbortSignal
  /** Ends it; resolves when none of its processes is left. */
  close(): Promise<void>
}

/** The primitives that depend on the machine. */
export type MachinePrimitives = Primitives<
  | 'bpf'
  | 'cgroup-bpf'
  | 'congestion-control'
  | 'cpus'
  | 'esp'
  | 'fq'
  | 'geneve'
  | 'ipvs'
  | 'kernel-thread'
  | 'kernels'
  | 'netem'
  | 'netkit'
  | 'police'
  | 'profile'
  | 'tbf'
  | 'tun'
  | 'vxlan'
  | 'wireguard'
>

/** Kernels of which a machine boots one. Processes with another kernel stay until that kernel is chosen again. */
export interface Kernels {
  /** Their releases, the default first. */
  readonly releases: readonly string[]
  /** @throws LabError `bad_request` for a kernel that is not here */
  requireHere(release: string | null): void
  /** Boots this kernel from now on. @param release a kernel that is here; null for the default */
  choose(release: string | null): void
}

/** Nothing happens on it before it is first used; a machine that has ended by itself is started again by the next use. */
export interface Machine {
  readonly kind: 'netns' | 'counted' | 'emulated' | 'ssh'
  /** How many instructions a microsecond of its clock stands for; null if the clock shows time. */
  readonly instructionsPerMicrosecond: number | null
  /** The resources of measurements on it. */
  readonly resources: SharedResources
  /** Null for a machine that always runs. */
  readonly rest: Rest | null
  /** The machines that it consists of. @defaultValue only itself */
  readonly parts?: readonly Machine[]
  /** Checks of its devices for the preflight, which never rejects but for a cancel. @defaultValue none */
  checks?(path: readonly Reading[], signal: AbortSignal): Promise<Check[]>
  /**
   * The parts of the machine besides its programs, by name with version and digest; empty where the kernel's release
   * says all. The machine runs.
   */
  madeOf(): Promise<Readonly<Record<string, string>>>
  /** In sentences, and as the place of commands: `this machine`. */
  readonly name: string
  /** The numbers of the CPUs that commands can run on, smallest first. */
  readonly cpus: readonly number[]
  /** Also reasons against other primitives, which a machine has otherwise. */
  readonly primitives: MachinePrimitives & Partial<Primitives>
  /** Null without a choice. */
  readonly kernels: Kernels | null
  /** The command to run after a program was installed on this machine, so that it is there too; null if it is. */
  readonly takeOver: string | null
  /** The folders where its programs are looked for, as in PATH. */
  readonly toolPath: string
  /** Deadline in milliseconds for a command that ends at once unless it hangs. */
  readonly commandMs: number
  /**
   * Starts a process with the machine's PATH and the locale C, in the root folder.
   *
   * @throws LabError `tool_failed` if it can't be started
   */
  start(process: ProcessStart): Promise<RunningProcess>
  /** A file's text, also of /proc and /sys; null if there is none or it can't be read. */
  readText(path: string): Promise<string | null>
  /** The path of a program there; null if there is none. A name with a slash is a path. */
  findProgram(program: string): Promise<string | null>
  /** Milliseconds since the Unix epoch, for people. */
  now(): number
  /**
   * Starts it if it does not run.
   *
   * @throws LabError as its `hold`; `signal.reason`: a start that nobody else waits for has ended by then
   */
  wake(signal: AbortSignal): Promise<void>
  /**
   * Starts a holder without named namespaces.
   *
   * @param say called with what a start waits for that takes long
   * @throws LabError `namespaces_denied`, `tool_missing`, `deadline_exceeded`; `signal.reason`
   */
  hold(signal: AbortSignal, say?: (words: string) => void): Promise<NamespaceHolder>
  /**
   * Makes it ready to profile with its present functions. Not to be called where its primitive `profile` has a reason.
   *
   * @throws LabError `tool_missing` if QEMU has not loaded the profiler; `tool_failed` if the kernel hides its functions
   */
  profiler(): Promise<Profiler>
  /** Ends the machine's processes besides its holders, which are closed by then. */
  close(): Promise<void>
}
