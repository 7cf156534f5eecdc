/** Compresses large answers for those who follow or take part: they are on the room's wifi, or on a phone. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Below this an answer fits into a few packets anyway. */
const SMALL = 4 * 1024

const inBackground = promisify(gzip)

/**
 * The instructor's browser usually runs on the same machine, where compression takes processor time and saves none. It
 * takes place outside the event loop.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < SMALL || reply.hasHeader('content-encoding')) return payload
    if (request.principal === null || request.principal.role === 'instructor') return payload
    void reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return payload
    void reply.header('content-encoding', 'gzip')
    return inBackground(payload)
  })
}
