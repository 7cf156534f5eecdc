/** Attacks a server until it is stopped, in a thread of its own, so that measurements beside it do not wait for it. */
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { answerReader, nameOf } from './answers.ts'
import { task, type Message } from './task.ts'

/** The attack comes from an address of its own: limits of an address must not stop the other people. */
const ADDRESS = '127.0.0.66'
const REPORT_MS = 100
/** Only a write shows that a connection was closed which is never read. */
const LOOK_MS = 250
/** Before a connection is opened again. */
const AGAIN_MS = 50

const { origin, key, messages, connections, each, everyMs } = task.parse(workerData)
const { host, hostname, port } = new URL(origin)
const given = { host, ...(key === null ? {} : { authorization: `Bearer ${key}` }) }
const answers = new Map<string, number>()
let sent = 0
const stopping = new AbortController()
const open = new Set<Socket>()

function count(answer: string): void {
  answers.set(answer, (answers.get(answer) ?? 0) + 1)
}

function headersOf({ body }: Message): Readonly<Record<string, string>> {
  const length = { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(body ?? '')}` }
  return body === null ? given : { ...given, ...length }
}

/** The messages as HTTP has them. */
const requests = messages.map((one) => {
  const lines = Object.entries(headersOf(one)).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${one.method} ${one.path} HTTP/1.1\r\n${lines.join('')}\r\n${one.body ?? ''}`
})

function send(socket: Socket, times: number): void {
  socket.write(Array.from({ length: times }, (_, index) => requests[(sent + index) % requests.length]).join(''))
  sent += times
}

/** Reads nothing, until the server closes the connection. */
async function unread(socket: Socket, closed: Promise<unknown>): Promise<void> {
  socket.pause()
  const over = closed.then(() => true)
  while (!(await Promise.race([over, delay(LOOK_MS, false)]))) send(socket, 1)
}

/** Sends a request for each answer, until the server closes the connection. */
async function read(socket: Socket, closed: Promise<unknown>, pauseMs: number): Promise<void> {
  const take = answerReader()
  socket.on('data', (bytes: Buffer) => {
    for (const answer of take(bytes)) {
      count(nameOf(answer))
      if (pauseMs === 0) send(socket, 1)
      else setTimeout(() => socket.writable && send(socket, 1), pauseMs)
    }
  })
  await closed
}

/** Opens connections one after the other. */
async function lane(): Promise<void> {
  while (!stopping.signal.aborted) {
    const socket = connect({ host: hostname, port: Number(port), localAddress: ADDRESS })
    open.add(socket)
    socket.on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    send(socket, each)
    await (everyMs === null ? unread(socket, closed) : read(socket, closed, everyMs))
    open.delete(socket)
    if (!stopping.signal.aborted) count('closed')
    await delay(AGAIN_MS)
  }
}

const report = (): void => parentPort?.postMessage({ sent, answers: Object.fromEntries(answers) }, [])
parentPort?.once('message', () => {
  stopping.abort()
  for (const socket of open) socket.destroy()
})
const reports = setInterval(report, REPORT_MS)
await Promise.all(Array.from({ length: connections }, lane))
clearInterval(reports)
report()
