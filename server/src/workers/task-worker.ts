/** Runs tasks in a worker thread with limits, so that the event loop stays free and the process safe. */
import { Worker } from 'node:worker_threads'

export interface Limits {
  /** The limit for a task's memory. */
  readonly megabytes: number
  /** For one task. */
  readonly ms: number
}

/** How a task ended. It can answer with anything that can be cloned. */
export type TaskEnd =
  | { readonly end: 'answered'; readonly answer: unknown }
  | { readonly end: 'out-of-memory' }
  | { readonly end: 'out-of-time' }

export interface TaskWorker {
  /** Runs a task after the tasks before it. @throws the errors of the task; the reason of {@link TaskWorker.close} */
  run(task: unknown): Promise<TaskEnd>
  /** Ends the task that runs, and refuses later tasks. */
  close(reason: Error): void
}

interface Timer {
  after(ms: number, callback: () => void): () => void
}

/** A worker takes part of a second to start: it stays for the next task, and goes when none comes. */
const IDLE_MS = 10_000

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}

/** @param module answers each message with one message */
export function createTaskWorker(module: URL, { megabytes, ms }: Limits, timer: Timer): TaskWorker {
  const closing = new AbortController()
  let worker: Worker | null = null
  let stopWaiting = (): void => {}
  /** The end of the last task. Tasks run one at a time: each takes a processor and memory. */
  let last: Promise<unknown> = Promise.resolve()

  function end(): void {
    stopWaiting()
    // Resolves with the thread's exit code, which says nothing.
    void worker?.terminate()
    worker = null
  }

  function start(): Worker {
    const started = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
      // Options of this process can name modules to load first.
      execArgv: [],
      env: {},
    })
    // An `error` event without a listener would end the process.
    started.on('error', () => {})
    return started
  }

  async function runNow(task: unknown): Promise<TaskEnd> {
    closing.signal.throwIfAborted()
    stopWaiting()
    worker ??= start()
    const running = worker
    // For as long as the task runs.
    running.ref()
    const { promise, resolve, reject } = Promise.withResolvers<TaskEnd>()
    const onAbort = (): void => reject(closing.signal.reason as Error)
    const onMessage = (answer: unknown): void => resolve({ end: 'answered', answer })
    const onError = (error: unknown): void => (isOutOfMemory(error) ? resolve({ end: 'out-of-memory' }) : reject(error))
    const onExit = (code: number): void => reject(new Error(`the worker ended without an answer, with code ${code}`))
    closing.signal.addEventListener('abort', onAbort, { once: true })
    running.once('message', onMessage).once('error', onError).once('exit', onExit)
    const takeBack = timer.after(ms, () => resolve({ end: 'out-of-time' }))
    let answered = false
    try {
      running.postMessage(task, [])
      const ended = await promise
      answered = ended.end === 'answered'
      return ended
    } finally {
      takeBack()
      closing.signal.removeEventListener('abort', onAbort)
      running.off('message', onMessage).off('error', onError).off('exit', onExit)
      running.unref()
      if (answered) stopWaiting = timer.after(IDLE_MS, end)
      else end()
    }
  }

  return {
    run(task) {
      const result = last.then(() => runNow(task))
      last = result.catch(() => {})
      return result
    },
    close(reason) {
      closing.abort(reason)
      end()
    },
  }
}
