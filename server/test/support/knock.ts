/** Requests as an attacker writes them: over a real socket, with every header and the path as given. */
import { request, type IncomingHttpHeaders } from 'node:http'
import { errorBody, type Problem } from '@expresslane/shared/errors'
import { WebSocket } from 'ws'

export interface Knocked {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Knock {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Asks `127.0.0.1:port`, whatever the Host header says. */
export function knock(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: Knock = {},
): Promise<Knocked> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    asked.on('error', reject).end(body)
  })
}

/** The problem that an answer carries. */
export function problemOf({ text }: Knocked): Problem {
  return errorBody.parse(JSON.parse(text)).error
}

/** Tries to open the stream. @returns 101 when it opened, else the status of the refusal */
export function knockStream(port: number, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/stream`, { headers })
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('unexpected-response', (asked, answer) => {
      asked.destroy()
      resolve(answer.statusCode ?? 0)
    })
    socket.on('error', reject)
  })
}
