/** The messages between the server and the thread that starts processes. */
import type { ProcessEnd } from './machine.ts'

/** The surroundings of a process: its environment, and the user that it runs as, null for the server's own. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string>>
  readonly user: { readonly uid: number; readonly gid: number } | null
}

/** The input of a process: nothing, a text, or an open input that is written to until it is finished. */
export type Input = 'nothing' | 'open' | { readonly text: string }

export interface Begin {
  readonly argv: readonly string[]
  readonly surroundings: Surroundings
  readonly input: Input
}

export type Line = readonly [stream: 'stdout' | 'stderr', text: string]

/** All of one process, by a number of its own. */
export type Order = { readonly id: number } & (
  | ({ readonly order: 'begin' } & Begin)
  | { readonly order: 'write'; readonly text: string }
  | { readonly order: 'finish' }
  /** So many lines were read. */
  | { readonly order: 'taken'; readonly lines: number }
)

export type Report = { readonly id: number } & (
  | { readonly report: 'begun'; readonly pid: number }
  | { readonly report: 'failed'; readonly detail: string; readonly code: string | null }
  | { readonly report: 'lines'; readonly lines: readonly Line[] }
  /** After the last line. */
  | ({ readonly report: 'closed' } & ProcessEnd)
)
