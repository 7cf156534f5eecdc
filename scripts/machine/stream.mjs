/** The connection to the agent in the emulated computer as Node's streams have it. */
import { Duplex } from 'node:stream'

/** @param {import('../../server/src/testbeds/emulated/emulator.ts').Emulator} emulator */
export function streamOf(emulator) {
  const stream = new Duplex({
    read() {},
    write(bytes, _, done) {
      emulator.send(bytes)
      done()
    },
  })
  emulator.onBytes((bytes) => void stream.push(bytes))
  return stream
}
