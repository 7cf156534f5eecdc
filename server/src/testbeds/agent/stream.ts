/** A stream to an agent over something that is none. */
import { Duplex } from 'node:stream'
import { callbackify } from 'node:util'

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
