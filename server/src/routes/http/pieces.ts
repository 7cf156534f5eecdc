/** Sends large answers piece by piece, so that nobody waits until all of one is written, and not all of it is in memory. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { letOthers } from '../../workers/turns.ts'

/** A shorter answer is sent at once. */
const SHORT = 256 * 1024

async function* withTurns(first: string, rest: AsyncIterator<string> | Iterator<string>): AsyncGenerator<string> {
  yield first
  for (;;) {
    // The stream asks for pieces without giving up the event loop.
    await letOthers()
    const next: IteratorResult<string, unknown> = await rest.next()
    if (next.done === true) return
    yield next.value
  }
}

/** @param pieces texts that together are the answer; its headers are set already */
export async function sendPieces(
  reply: FastifyReply,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<FastifyReply> {
  const rest = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]()
  let first = ''
  while (first.length < SHORT) {
    const next: IteratorResult<string, unknown> = await rest.next()
    if (next.done === true) return reply.send(first)
    first += next.value
    await letOthers()
  }
  return reply.send(Readable.from(withTurns(first, rest)))
}

/** Headers for {@link sendPieces} of JSON. */
export function asJson(reply: FastifyReply): FastifyReply {
  return reply.type('application/json; charset=utf-8')
}
