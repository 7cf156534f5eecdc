/** A figure: a fault that can break the server, caused many times, and a row of the table. */
import type { Row } from '../support/table.ts'

export interface FigureContext {
  readonly seed: number
  /** Whether to take only the minutes that a test run has for it. */
  readonly short: boolean
  /** Numbers from 0 up to 1, the same for the same seed, whatever other figures run. */
  readonly random: () => number
}

export interface Figure {
  /** As in `npm run bench -- faults NAME`. */
  readonly name: string
  /** Variables of the environment that must be set: otherwise the figure is skipped with a message. */
  readonly needs?: readonly string[]
  /** Whether it takes long and little of the processor, so that the other figures run meanwhile. */
  readonly beside?: boolean
  /** Starts its own servers, and leaves nothing behind. An error makes a row that does not hold. */
  run(context: FigureContext): Promise<Row>
}
