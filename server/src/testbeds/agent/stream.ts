/** Streams as connections to an agent. */
import { Duplex } from 'node:stream'
import { callbackify } from 'node:util'
import type { Connection } from './agent.ts'

export function connectionOf(stream: Duplex): Connection {
  return {
    write: (bytes) => void stream.write(bytes),
    onBytes: (listener) => void stream.on('data', listener),
    onEnd: (listener) => void stream.on('error', listener).on('end', listener).on('close', listener),
    destroy: () => void stream.destroy(),
  }
}

/**
 * A stream whose bytes a function takes, and whose other direction is pushed. An error ends it.
 *
 * @param write resolves when the next bytes may come
 * @param destroyed called once when it has ended
 */
export function streamOf(write: (bytes: Buffer) => Promise<void>, destroyed: () => void = () => {}): Duplex {
  const take = callbackify(write)
  const stream = new Duplex({
    read() {},
    write: (chunk: Buffer, _encoding, done) => take(chunk, done),
    destroy(error, done) {
      destroyed()
      done(error)
    },
  })
  return stream.on('error', () => {})
}
