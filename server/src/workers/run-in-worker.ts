/** Runs one task in a worker thread of its own, with limits, so that the event loop stays free and the process safe. */
import { Worker } from 'node:worker_threads'

export interface Limits {
  /** For what the task builds in memory. */
  readonly megabytes: number
  readonly ms: number
}

/** How a task ended. It can answer with anything that can be cloned. */
export type TaskEnd =
  | { readonly end: 'answered'; readonly answer: unknown }
  | { readonly end: 'out-of-memory' }
  | { readonly end: 'out-of-time' }

interface Timer {
  after(ms: number, callback: () => void): () => void
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/**
 * Runs a module that posts one message, its answer.
 *
 * @param data what the module finds in `workerData`
 * @throws what the module throws; `signal.reason` when aborted
 */
export async function runInWorker(
  module: URL,
  data: unknown,
  { megabytes, ms }: Limits,
  timer: Timer,
  signal: AbortSignal,
): Promise<TaskEnd> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<TaskEnd>()
  const worker = new Worker(module, {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: megabytes },
    // Options of this process can name modules to load first.
    execArgv: [],
    env: {},
  })
  const onAbort = (): void => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  const takeBack = timer.after(ms, () => resolve({ end: 'out-of-time' }))
  worker.once('message', (answer: unknown) => resolve({ end: 'answered', answer }))
  // Stays on, because an `error` event without a listener ends the process.
  worker.on('error', (error) => (isOutOfMemory(error) ? resolve({ end: 'out-of-memory' }) : reject(error)))
  worker.once('exit', (code) => reject(new Error(`the worker ended without an answer, with code ${code}`)))
  try {
    return await promise
  } finally {
    takeBack()
    signal.removeEventListener('abort', onAbort)
    await worker.terminate()
  }
}
