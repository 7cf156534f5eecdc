/** The messages between a page and a worker: numbered questions, each with its answer. */
import type { Problem } from '../base/errors.ts'

/** The questions of a worker by name. */
export type Questions<Q> = { readonly [Name in keyof Q]: { readonly asked: unknown; readonly answer: unknown } }

export interface Question<Q extends Questions<Q>, Name extends keyof Q = keyof Q> {
  readonly number: number
  readonly name: Name
  readonly asked: Q[Name]['asked']
}

/** To the question of its number. */
export type Answer<Q extends Questions<Q>> =
  | { readonly number: number; readonly answer: Q[keyof Q]['answer'] }
  | { readonly number: number; readonly problem: Problem }
