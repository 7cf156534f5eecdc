/** Attacks a server until it is stopped, in a thread of its own, so that what is measured beside it does not wait for it. */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { task, type Message } from './task.ts'

/** The attack comes from an address of its own: limits of an address must not stop the other people. */
const ADDRESS = '127.0.0.66'
const REPORT_MS = 100
/** Only a write shows that a connection was closed which is never read. */
const LOOK_MS = 250
/** Before a connection is opened again. */
const AGAIN_MS = 50
/** Characters of an answer that are kept: an error's code comes first. */
const ENOUGH = 200

const { origin, key, messages, way } = task.parse(workerData)
const { host, hostname, port } = new URL(origin)
const given = { host, ...(key === null ? {} : { authorization: `Bearer ${key}` }) }
const stopping = new AbortController()
const answers = new Map<string, number>()
let sent = 0

function count(answer: string): void {
  answers.set(answer, (answers.get(answer) ?? 0) + 1)
}

function next(): Message {
  const one = messages[sent % messages.length]
  if (one === undefined) throw new Error('there is nothing to send')
  sent += 1
  return one
}

function headersOf({ body }: Message): Readonly<Record<string, string>> {
  const length = { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body ?? '')}` }
  return body === null ? given : { ...given, ...length }
}

function bytesOf(one: Message): string {
  const lines = Object.entries(headersOf(one)).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${one.method} ${one.path} HTTP/1.1\r\n${lines.join('')}\r\n${one.body ?? ''}`
}

/** Sends requests and reads nothing, until the server closes the connection. */
async function unread(each: number): Promise<void> {
  const socket: Socket = connect({ host: hostname, port: Number(port), localAddress: ADDRESS }).pause()
  const closed = once(socket, 'close').then(() => true)
  socket.on('error', () => {})
  const stop = (): void => void socket.destroy()
  stopping.signal.addEventListener('abort', stop, { once: true })
  socket.write(Array.from({ length: each }, () => bytesOf(next())).join(''))
  while (!(await Promise.race([closed, delay(LOOK_MS, false)]))) socket.write(bytesOf(next()))
  stopping.signal.removeEventListener('abort', stop)
  count('closed')
}

const agent = new Agent({ keepAlive: true })

/** What an answer is counted as. */
function nameOf(status: number, text: string): string {
  const code = status < 400 ? undefined : /"code":"(\w+)"/.exec(text)?.[1]
  return code === undefined ? `${status}` : `${status} ${code}`
}

/** Sends a request and reads the answer. */
function exchange(one: Message): Promise<string> {
  return new Promise((resolve) => {
    const options = { host: hostname, port, localAddress: ADDRESS, agent, signal: stopping.signal }
    const asked = request({ ...options, method: one.method, path: one.path, headers: headersOf(one) }, (answer) => {
      let start = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        if (start.length < ENOUGH) start += part.slice(0, ENOUGH)
      })
      answer.once('error', () => resolve('closed'))
      answer.once('end', () => resolve(nameOf(answer.statusCode ?? 0, start)))
    })
    asked.once('error', () => resolve('closed')).end(one.body ?? undefined)
  })
}

async function parallel(everyMs: number): Promise<void> {
  const answer = await exchange(next())
  if (stopping.signal.aborted) return
  count(answer)
  const pause = answer === 'closed' ? Math.max(everyMs, AGAIN_MS) : everyMs
  if (pause > 0) await delay(pause)
}

/** Does the same again until it is stopped. */
async function again(work: () => Promise<void>): Promise<void> {
  while (!stopping.signal.aborted) await work()
}

function lanes(): Promise<void>[] {
  if (way.kind === 'parallel') return Array.from({ length: way.atOnce }, () => again(() => parallel(way.everyMs)))
  const one = async (): Promise<void> => {
    await unread(way.each)
    await delay(AGAIN_MS)
  }
  return Array.from({ length: way.connections }, () => again(one))
}

const report = (): void => parentPort?.postMessage({ sent, answers: Object.fromEntries(answers) }, [])
parentPort?.once('message', () => stopping.abort())
const reports = setInterval(report, REPORT_MS)
await Promise.all(lanes())
clearInterval(reports)
agent.destroy()
report()
