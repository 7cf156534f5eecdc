/** Asks for a server's health again and again, in a thread that does nothing else; posts each wait in milliseconds. */
import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'

const EVERY_MS = 5

const { url } = z.object({ url: z.url() }).parse(workerData)
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

for (;;) {
  const begun = performance.now()
  await once()
  parentPort?.postMessage(performance.now() - begun, [])
  await setTimeout(EVERY_MS)
}
