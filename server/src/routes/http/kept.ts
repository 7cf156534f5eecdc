/**
 * Answers that are made and compressed once, and kept while what they are made of stays the same. They have an ETag (RFC 9110,
 * 8.8.3): who has one already gets 304.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReportFile } from '../../reports/make.ts'
import { REPORT_CSP } from './schemas.ts'

/** The most bytes of all kept answers together, compressed. */
const KEPT_BYTES = 16 * 1024 * 1024

const inBackground = promisify(gzip)

/** An answer's text, compressed with gzip, and the headers that belong to it. */
export interface Packed {
  readonly gzip: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

interface Tagged {
  readonly packed: Packed
  readonly tag: string
}

export interface Kept {
  /**
   * @param key names all that the answer is made of, such as the revision of the labs
   * @param make called when there is none by this key; requests that come meanwhile wait for the same one
   */
  send(request: FastifyRequest, reply: FastifyReply, key: string, make: () => Promise<Packed>): Promise<FastifyReply>
}

/** The page's files have headers of their own. */
const PAGE_FILES = '/*'

/** No browser and no proxy keeps any other answer. Call it before the first route is registered. */
export function keepNoAnswers(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ routeOptions: { url } }, reply) => {
    if (url !== undefined && url !== PAGE_FILES) void reply.header('cache-control', 'no-store')
  })
}

/** Compresses JSON outside the event loop. */
export async function packJson(text: string): Promise<Packed> {
  return { gzip: await inBackground(text), headers: { 'content-type': 'application/json; charset=utf-8' } }
}

/** The report as an answer: a browser saves the file, and runs nothing in it. */
export function packedReport({ name, type, gzip: content }: ReportFile): Packed {
  return {
    gzip: content,
    headers: {
      'content-security-policy': REPORT_CSP,
      'content-disposition': `attachment; filename="${name}"`,
      'content-type': type,
    },
  }
}

function tagOf(content: Uint8Array | string): string {
  // Weak: the compressed and the plain answer share an ETag.
  return `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/** Sets the headers. @returns whether the client has this answer already */
function hasAlready(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  // A browser keeps it, and asks each time whether it is still the same.
  void reply.headers({ etag: tag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' })
  const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim())
  return known.includes(tag) || known.includes('*')
}

/** Sends JSON that is made each time, with an ETag. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  if (hasAlready(request, reply, tagOf(text))) return reply.code(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}

/** A client that reads slowly takes one piece after the other: `connections.ts` looks at that. */
const PIECE_BYTES = 64 * 1024

function* piecesOf(content: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < content.length; from += PIECE_BYTES) yield content.subarray(from, from + PIECE_BYTES)
}

/** Sends it compressed to everybody who takes that: it is compressed already. */
export function sendPacked(
  { headers: asked }: FastifyRequest,
  reply: FastifyReply,
  { gzip: content, headers }: Packed,
): FastifyReply {
  void reply.headers(headers).header('vary', 'accept-encoding')
  if (!/\bgzip\b/.test(asked['accept-encoding'] ?? '')) {
    return reply.send(Readable.from(piecesOf(content)).pipe(createGunzip()))
  }
  void reply.header('content-encoding', 'gzip')
  return reply.send(content.length <= PIECE_BYTES ? content : Readable.from(piecesOf(content)))
}

export function createKept(mostBytes = KEPT_BYTES): Kept {
  /** The answer that was requested last is at the end. */
  const kept = new Map<string, Tagged>()
  const underWay = new Map<string, Promise<Tagged>>()
  let bytes = 0

  function drop(key: string): void {
    bytes -= kept.get(key)?.packed.gzip.length ?? 0
    kept.delete(key)
  }

  function keep(key: string, tagged: Tagged): void {
    drop(key)
    kept.set(key, tagged)
    bytes += tagged.packed.gzip.length
    for (const oldest of kept.keys()) {
      if (bytes <= mostBytes) break
      drop(oldest)
    }
  }

  function makeOnce(key: string, make: () => Promise<Packed>): Promise<Tagged> {
    const present =
      underWay.get(key) ??
      make()
        .then((packed) => ({ packed, tag: tagOf(packed.gzip) }))
        .finally(() => underWay.delete(key))
    underWay.set(key, present)
    return present
  }

  return {
    async send(request, reply, key, make) {
      const tagged = kept.get(key) ?? (await makeOnce(key, make))
      keep(key, tagged)
      if (hasAlready(request, reply, tagged.tag)) return reply.code(304).send()
      return sendPacked(request, reply, tagged.packed)
    },
  }
}
