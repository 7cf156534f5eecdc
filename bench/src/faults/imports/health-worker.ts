/**
 * Asks for a server's health again and again, in a thread that does nothing else; posts each wait in milliseconds, without
 * the time for which the server's thread or this one waited for a processor: that is the other work of the machine.
 */
import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { queuedMs } from '../../support/queued.ts'

const { url, pid, everyMs } = z.object({ url: z.url(), pid: z.int(), everyMs: z.int() }).parse(workerData)
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

/** The time that both threads waited for a processor. It does not grow while the server is busy or blocked. */
function allQueuedMs(): number {
  return queuedMs(`${pid}/task/${pid}`) + queuedMs('thread-self')
}

for (;;) {
  const queued = allQueuedMs()
  const begun = performance.now()
  await once()
  const wait = performance.now() - begun
  parentPort?.postMessage(Math.max(0, wait - (allQueuedMs() - queued)), [])
  await setTimeout(everyMs)
}
