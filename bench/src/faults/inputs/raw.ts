/** Bytes to a socket, and the answer. */
import { connect } from 'node:net'
import type { Outcome } from './kind.ts'

/** How long an answer is waited for, until this side is closed: then the bytes were not a whole request. */
const ANSWER_MS = 250
/** A server that neither answers nor closes after that has failed. */
const PATIENCE_MS = 10_000
const SHOWN = 400

function shown(bytes: Buffer): string {
  return bytes.subarray(0, SHOWN).toString('latin1')
}

/** Sends bytes and reads to the end. @throws Error when the server neither answers nor closes */
export function exchange(port: number, bytes: Buffer): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1' })
    const giveUp = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no answer and no end within ${PATIENCE_MS / 1000} s: ${shown(bytes)}`))
    }, PATIENCE_MS)
    const finish = setTimeout(() => socket.end(), ANSWER_MS)
    socket.on('data', (part: Buffer) => parts.push(part))
    // The server can close while this side still writes.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(giveUp)
      clearTimeout(finish)
      const answer = Buffer.concat(parts)
      const status = /^HTTP\/1\.1 (\d{3})/.exec(answer.subarray(0, 16).toString('latin1'))?.[1]
      resolve({ status: status === undefined ? null : Number(status), said: `${shown(bytes)}\n-> ${shown(answer)}` })
    })
    socket.write(bytes)
  })
}
