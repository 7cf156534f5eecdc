/** Where a room got stuck in a lab, as data for files. */
import type { LabFigures } from '../../../wire/board.ts'
import type { Learner, Moment } from './learner.ts'

export interface StepsReport {
  readonly lab: {
    readonly id: string
    readonly title: string
    readonly question: string
    /** The steps that act, in order; `number` counts all steps of the lab, from 1. */
    readonly steps: readonly { readonly id: string; readonly title: string; readonly number: number }[]
  }
  readonly learners: readonly Learner[]
  readonly moment: Moment
  readonly figures: LabFigures
  /** True for a report with the names of people. */
  readonly named: boolean
  /** The address under which the room reaches the server: `https://labs.example.org`. */
  readonly origin: string
  /** Expresslane's version. */
  readonly madeBy: string
}
