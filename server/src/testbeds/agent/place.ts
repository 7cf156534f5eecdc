/** A machine that an agent speaks for, while their connection lasts. */
import type { Confine } from '../terminal.ts'
import type { Agent } from './agent.ts'

export interface Place extends Agent {
  /** In sentences: `the counted machine`. */
  readonly name: string
  /** The folders of its programs, as in PATH. */
  readonly toolPath: string
  /** Confines the shells of terminals. @defaultValue they have processes of their own */
  readonly confine?: Confine
  /** Lets the machine run until the function that it returns is called; else it may stand still. */
  busy(): () => void
  /** Lets its processes run if a signal has stopped them. */
  goOn(): void
  /** Aborted with `testbed_gone` when it has ended. */
  readonly gone: AbortSignal
  /** Ends it; resolves when all that ran in it has ended. */
  close(): Promise<void>
}
