/** A shell in a terminal, in a network namespace of a testbed. */

/** In characters, each 1 to 65,535. */
export interface TerminalSize {
  readonly rows: number
  readonly columns: number
}

export interface TerminalStart {
  /** The named network namespace. */
  readonly namespace: string
  readonly size: TerminalSize
  /** Takes output. The shell waits until it resolves once 256 KiB are on their way. */
  onOutput(bytes: Buffer): void | Promise<void>
}

export interface Terminal {
  /** Resolves after the last output, with the reason if its machine has ended. Never rejects. */
  readonly closed: Promise<{ readonly code: number | null; readonly signal: string | null; readonly why?: string }>
  /** Types. Resolves when the terminal has taken all bytes; bytes that nobody takes any more are dropped. */
  write(bytes: Uint8Array): Promise<void>
  resize(size: TerminalSize): void
  /** Ends the shell and everything in its terminal; resolves with {@link closed}. */
  end(): Promise<void>
}

/** It reads no file of a person's, and leaves none. */
export const shell: readonly string[] = ['bash', '--noprofile', '--norc', '-i']

/** @param namespace in the prompt @param path the folders of programs */
export function shellEnv(namespace: string, path: string): Record<string, string> {
  return {
    PATH: path,
    // Bash does not complain about a machine that has no such locale, as it does for LC_ALL.
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    HOME: '/tmp',
    HISTFILE: '',
    // Marks of what does not count in the width of a line, and bold.
    PS1: `\\[\\e[1m\\]${namespace}\\[\\e[0m\\] \\w # `,
  }
}

/** A command line that starts another. */
export type Confine = (argv: readonly string[], env: Readonly<Record<string, string>>) => string[]

/** Runs lines of Bash before a command. A shell that is not interactive drops the prompt, so the command gets it again. */
export const after =
  (lines: string): Confine =>
  (argv, { PS1 = '' }) => ['bash', '--norc', '-c', `export PS1="$0"\n${lines}\nexec "$@"`, PS1, ...argv]

/**
 * Processes of its own, which end with the shell: jobs in the background would outlive it. Named network namespaces stay
 * the machine's.
 */
export const apart: Confine = (argv) => [
  'unshare',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  '--propagation',
  'unchanged',
  ...argv,
]
