/** QEMU's own protocol (QMP): its version, and the machine that stands still and goes on. */
import type { Duplex } from 'node:stream'
import { z } from 'zod'
import type { Control } from '../agent/pause.ts'

/** QEMU's first line on its control connection. */
const greeting = z.object({
  QMP: z.object({
    version: z.object({ qemu: z.object({ major: z.number(), minor: z.number(), micro: z.number() }) }),
  }),
})

/** QEMU's version, from its greeting. All later answers are dropped. Never rejects. */
export function versionFrom(control: Duplex): Promise<string> {
  const version = Promise.withResolvers<string>()
  let words = ''
  const read = (chunk: Buffer): void => {
    words += chunk.toString('utf8')
    const end = words.indexOf('\n')
    if (end < 0) return
    control.off('data', read).resume()
    const { success, data } = greeting.safeParse(JSON.parse(words.slice(0, end)))
    version.resolve(success ? Object.values(data.QMP.version.qemu).join('.') : 'unknown')
  }
  control.on('data', read).once('close', () => version.resolve('unknown'))
  return version.promise
}

export function createControl(connection: Duplex): Control {
  const order = (execute: 'qmp_capabilities' | 'stop' | 'cont'): void => {
    if (connection.writable) connection.write(`${JSON.stringify({ execute })}\n`)
  }
  connection.on('error', () => {})
  order('qmp_capabilities')
  return { stop: () => order('stop'), go: () => order('cont') }
}
