/** Asks `/healthz` all the time, in a process of its own, and prints the longest wait when its input ends. */
import { Agent, get } from 'node:http'

const PAUSE_MS = 4
const [url] = process.argv.slice(2)
if (url === undefined) throw new Error('usage: pinger.ts URL')
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longest = 0

function ask(from: string): Promise<number> {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    get(from, { agent }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve(performance.now() - began))
    }).on('error', reject)
  })
}

process.stdin.resume()
// The first answers are slow for reasons of their own.
for (let first = 0; first < 20; first += 1) await ask(url)
process.stdout.write('ready\n')
while (!process.stdin.readableEnded) {
  longest = Math.max(longest, await ask(url))
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
process.stdout.write(`${longest}\n`)
agent.destroy()
