/** Turns every error into the answer that a client gets: a code, a message and a remedy. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { LabError, toLabError, type ErrorBody } from '@expresslane/shared/base/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'

function badRequest(detail: string, cause: unknown): LabError {
  return new LabError(
    'bad_request',
    'The server does not understand this request.',
    'Reload the page. For scripts, docs/api.md describes each request.',
    { detail, cause },
  )
}

/** `body/params/seconds: Too big: expected number to be <=120`. */
function validationDetail(error: FastifyError): string {
  const part = error.validationContext ?? 'request'
  return (error.validation ?? []).map((one) => `${part}${one.instancePath}: ${one.message ?? 'not valid'}`).join('; ')
}

function isClientsFault(error: unknown): error is FastifyError {
  if (!(error instanceof Error) || !('statusCode' in error)) return false
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
}

/** The error as a client sees it: never a stack trace, and never the original message of an internal error. */
function toAnswer(error: unknown): LabError {
  if (error instanceof LabError) return error
  if (hasZodFastifySchemaValidationErrors(error)) return badRequest(validationDetail(error), error)
  if (isClientsFault(error)) return badRequest(error.message, error)
  const { code, message, remedy } = toLabError(error)
  return new LabError(code, message, remedy, { cause: error })
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') === true && !request.url.startsWith('/api/')
}

/** Sends plain text to a person who follows a link, and the JSON error body to a program. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = toAnswer(error)
  if (answer.code === 'internal') request.log.error({ err: error }, 'request failed')
  void reply.code(answer.status).header('cache-control', 'no-store')
  if (wantsPage(request)) return reply.type('text/plain; charset=utf-8').send(`${answer.message}\n${answer.remedy}\n`)
  const body: ErrorBody = { error: answer.toProblem() }
  // Serialized here, because not every route has a response schema for every status.
  return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

/** By the code of Node's error; all others are 400. */
const parserStatus: ReadonlyMap<string | undefined, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

/**
 * Answers a request that Node's HTTP parser refuses, which no route sees. Headers and address together can have 16 KB
 * (`--max-http-header-size`); more of them get 431 (RFC 6585, 5).
 * A request that is not complete in time gets 408.
 */
export function answerUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const status = parserStatus.get(error.code) ?? 400
  const body: ErrorBody = { error: badRequest(STATUS_CODES[status] ?? '', error).toProblem() }
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
    () => {
      // A slow sender would go on.
      if (status === 408) socket.destroy()
    },
  )
}

export function notFound(request: FastifyRequest): LabError {
  return new LabError(
    'not_found',
    'Nothing exists at this address.',
    'Go to the start page. For scripts, docs/api.md lists the routes.',
    { detail: `${request.method} ${request.url.split('?')[0]}` },
  )
}

/** Whether an error says that a body is above its limit. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}

/**
 * Reads the rest of a body that is above its limit, and throws it away. With unread data the kernel resets a connection that is
 * closed, and the answer can be lost on its way (RFC 9112, 9.6). Node's `requestTimeout` ends a sender that goes on for too long.
 */
export function discardBody(request: FastifyRequest, reply: FastifyReply): void {
  void reply.removeHeader('connection')
  request.raw.resume()
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (isTooLarge(error)) discardBody(request, reply)
    return sendError(error, request, reply)
  })
}
