/** The connection to the agent in the emulated computer as Node's streams have it, for what runs in Node. */
import { Duplex } from 'node:stream'
import type { Emulator } from './emulator.ts'

export function streamOf(emulator: Pick<Emulator, 'send' | 'onBytes'>): Duplex {
  const stream = new Duplex({
    read: () => {},
    write(bytes: Buffer, _, done) {
      emulator.send(bytes)
      done()
    },
  })
  emulator.onBytes((bytes) => void stream.push(bytes))
  return stream
}
