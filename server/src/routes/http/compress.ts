/** Compresses large answers for those who follow or take part: they are on the room's wifi, or on a phone. */
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
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
    const large = payload instanceof Readable || (typeof payload === 'string' && payload.length >= SMALL)
    if (!large || reply.hasHeader('content-encoding')) return payload
    if (request.caller === null || request.caller.role === 'instructor') return payload
    void reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return payload
    void reply.header('content-encoding', 'gzip')
    if (typeof payload === 'string') return inBackground(payload)
    // An error ends the answer, and the server logs it.
    return pipeline(payload, createGzip(), () => {})
  })
}
