/** A kind of bad input, and its sender. */
import type { Random } from '@expresslane/shared/compare/stats/random'
import type { BenchApp } from '../../support/app.ts'

/** The server's reaction to an input. */
export interface Outcome {
  /** The status of the answer; null for a connection that was closed without an answer. */
  readonly status: number | null
  /** The beginnings of the request and the answer, for the message about an input that broke something. */
  readonly said: string
}

export interface Kind {
  readonly name: string
  /** The percentage of inputs of this kind. */
  readonly share: number
  /** How many are under way at the same time. */
  readonly atOnce: number
  /** @returns sends inputs, one or several; each outcome counts as one input */
  open(app: BenchApp, random: Random): Promise<() => Promise<readonly Outcome[]>>
}
