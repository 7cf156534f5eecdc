/** A connection to the database whose failures have codes, sentences and remedies. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { LabError } from '@expresslane/shared/base/errors'
import { storeProblem } from './problems.ts'

/** How long opening waits for another process's lock: nobody is served yet. */
const OPEN_TIMEOUT_MS = 5000
/** How long a statement may then hold up the event loop for another process's lock. Whoever needs longer tries again. */
const BUSY_TIMEOUT_MS = 25

export class Database extends DatabaseSync {
  readonly #dataDir: string
  readonly #onProblem: (problem: LabError) => void

  /** @param onProblem called with each failure that is the disk's, the file's, or another process's */
  constructor(file: string, dataDir: string, onProblem: (problem: LabError) => void = () => {}) {
    super(file, { enableForeignKeyConstraints: true, timeout: OPEN_TIMEOUT_MS })
    this.#dataDir = dataDir
    this.#onProblem = onProblem
  }

  /** From here on no statement waits long for a lock. */
  stopWaiting(): void {
    this.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }

  override exec(sql: string): void {
    this.#said(() => super.exec(sql))
  }

  override prepare(sql: string): StatementSync {
    const said = this.#said.bind(this)
    return new Proxy(
      this.#said(() => super.prepare(sql)),
      {
        get(statement, name) {
          const member: unknown = Reflect.get(statement, name)
          if (typeof member !== 'function') return member
          return (...args: unknown[]): unknown => said((): unknown => Reflect.apply(member, statement, args))
        },
      },
    )
  }

  /** @throws LabError `data_in_use`, `data_full`, `data_corrupt`, `data_unwritable` */
  #said<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      const problem = storeProblem(this.#dataDir, error)
      if (problem === null) throw error
      this.#onProblem(problem)
      throw problem
    }
  }
}
