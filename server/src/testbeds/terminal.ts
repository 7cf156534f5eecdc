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
  /** Resolves after the last output. Never rejects. */
  readonly closed: Promise<{ readonly code: number | null; readonly signal: string | null }>
  /** Types. */
  write(bytes: Uint8Array): void
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
