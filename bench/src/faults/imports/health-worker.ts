/**
 * Asks for a server's health again and again, in a thread that does nothing else; posts each wait in milliseconds, without
 * the time for which the server's thread or this one waited for a processor: that is the other work of the machine.
 */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'

const EVERY_MS = 5

const { url, pid } = z.object({ url: z.url(), pid: z.int() }).parse(workerData)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

function once(): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent }, (answer) => {
      answer.resume().once('end', resolve).once('error', reject)
      if (answer.statusCode !== 200) reject(new Error(`${url}: ${answer.statusCode}`))
    })
    asked.once('error', reject).end()
  })
}

/** Milliseconds for which a thread could run and had no processor, from its start on. */
function queuedMs(thread: string): number {
  // Nanoseconds on a processor, nanoseconds waiting for one, times on one: the kernel's sched-stats.rst.
  const [, queued] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')
  return Number(queued) / 1e6
}

/** Of both threads. When the server is busy or blocked, neither waits for a processor: that time stays. */
function allQueuedMs(): number {
  return queuedMs(`${pid}/task/${pid}`) + queuedMs('thread-self')
}

for (;;) {
  const queued = allQueuedMs()
  const begun = performance.now()
  await once()
  const wait = performance.now() - begun
  parentPort?.postMessage(Math.max(0, wait - (allQueuedMs() - queued)), [])
  await setTimeout(EVERY_MS)
}
