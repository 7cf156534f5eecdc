/** Allows a single set-up at a time in a checkout. */
import { createHash } from 'node:crypto'
import { connect, createServer } from 'node:net'
import { root } from '../base/paths.mjs'
import { say } from '../base/say.mjs'

// An abstract socket: the kernel releases it when its process ends, however that ends, so a
// lock is never left behind and a waiting process notices at once (its connection closes).
const path = `\0expresslane-set-up-${createHash('sha256').update(root).digest('hex').slice(0, 32)}`

/** @returns {Promise<import('node:net').Server | null>} null while another process holds it */
function take() {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    server.listen({ path }, () => resolve(server))
  })
}

/** @returns {Promise<void>} when the holder has ended or let go */
function released() {
  return new Promise((resolve) => {
    connect({ path })
      .on('error', () => resolve())
      .on('close', () => resolve())
      .resume()
  })
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(work) {
  let server = await take()
  if (server === null) say('Another set-up of this checkout is running; waiting for it.')
  while (server === null) {
    await released()
    server = await take()
  }
  /** @type {Set<import('node:net').Socket>} */
  const waiting = new Set()
  server.on('connection', (socket) => waiting.add(socket.on('error', () => socket.destroy())))
  try {
    return await work()
  } finally {
    server.close()
    for (const socket of waiting) socket.destroy()
  }
}
