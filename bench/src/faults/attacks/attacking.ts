/** Starts an attack in a thread of its own (`attack-worker.ts`), and follows it. */
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { progress, type Progress, type Task } from './task.ts'

const LOOK_MS = 50

/** How long an attack goes on. */
export interface Length {
  /** Requests to send. */
  readonly requests: number
  /** The attack goes on at least so long, also after it has sent all requests. */
  readonly leastMs: number
  /** The attack has ended by then, also if the server takes the requests so slowly that some are not sent. */
  readonly mostMs: number
}

export interface Attack {
  /** Resolves when an attack has gone on for a length of time. @throws Error if its thread fails */
  lasted(length: Length): Promise<void>
  stop(): Promise<Progress>
}

export function attack(task: Task): Attack {
  const worker = new Worker(new URL('./attack-worker.ts', import.meta.url), { workerData: task })
  const ended = once(worker, 'exit')
  const began = performance.now()
  let latest: Progress = { sent: 0, answers: {} }
  let failure: Error | null = null
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error))
  })
  worker.on('message', (said) => {
    latest = progress.parse(said)
  })
  return {
    async lasted({ requests, leastMs, mostMs }) {
      for (;;) {
        if (failure !== null) throw failure
        const ms = performance.now() - began
        if (ms >= mostMs || (ms >= leastMs && latest.sent >= requests)) return
        await delay(LOOK_MS)
      }
    },
    async stop() {
      worker.postMessage('stop', [])
      await ended
      if (failure !== null) throw failure
      return latest
    },
  }
}
