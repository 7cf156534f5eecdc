/** A stranger's attempts: the problem of an answer, and the status of a stream. */
import { errorBody, type Problem } from '@expresslane/shared/base/errors'
import { WebSocket } from 'ws'
import type { Answer } from './server.ts'

/** The problem that an answer carries. */
export function problemOf({ text }: Answer): Problem {
  return errorBody.parse(JSON.parse(text)).error
}

/** Tries to open the stream, or a WebSocket at another address. @returns 101 when it opened, else the status of the refusal */
export function knockStream(port: number, headers: Record<string, string> = {}, path = '/api/stream'): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers })
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
