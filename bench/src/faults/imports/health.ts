/** How long other clients wait while the server is busy. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { BenchApp } from '../../support/app.ts'

const wait = z.number()
/** From an answer to the next request. */
export const HEALTH_EVERY_MS = 5

export interface Health {
  /**
   * The waits since the last call, in milliseconds, without the time for which this machine had no processor for it.
   *
   * @throws Error if the server did not answer
   */
  take(): number[]
  /** Resolves with the next answer, so that {@link Health.take} includes a wait which goes on now. */
  answered(): Promise<void>
  stop(): Promise<void>
}

/** Asks for the server's health, one request after the other, until stopped. */
export async function watchHealth({ origin, server: { pid } }: Pick<BenchApp, 'origin' | 'server'>): Promise<Health> {
  const url = new URL('/healthz', origin).href
  const worker = new Worker(new URL('./health-worker.ts', import.meta.url), {
    workerData: { url, pid, everyMs: HEALTH_EVERY_MS },
  })
  let waits: number[] = []
  let failure: Error | null = null
  worker.on('error', (error) => {
    failure = error instanceof Error ? error : new Error(String(error))
  })
  worker.on('message', (message) => waits.push(wait.parse(message)))
  await once(worker, 'message')
  return {
    take() {
      if (failure !== null) throw failure
      const taken = waits
      waits = []
      return taken
    },
    async answered() {
      if (failure === null) await once(worker, 'message')
    },
    async stop() {
      await worker.terminate()
    },
  }
}

/** The value that a share of the values does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
