/** Every error that leaves the server: a closed code, a sentence, a remedy. */
import { LabError, toLabError, type ErrorBody } from '@expresslane/shared/wire/errors'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'

function badRequest(detail: string, cause: unknown): LabError {
  return new LabError(
    'bad_request',
    'The server does not understand this request.',
    'Reload the page; a script finds what is expected in docs/api.md.',
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

/** What a client is told: never a stack, and of a fault of the server's own not even its words. */
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

/** A person who follows a link gets the sentence, a program the error body. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = toAnswer(error)
  if (answer.code === 'internal') request.log.error({ err: error }, 'request failed')
  void reply.code(answer.status).header('cache-control', 'no-store')
  if (wantsPage(request)) return reply.type('text/plain; charset=utf-8').send(`${answer.message}\n${answer.remedy}\n`)
  const body: ErrorBody = { error: answer.toProblem() }
  // Written here, so that it needs no response schema of the route's.
  return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
}

export function notFound(request: FastifyRequest): LabError {
  return new LabError(
    'not_found',
    'There is nothing at this address.',
    'Go to the start page; a script finds the routes in docs/api.md.',
    { detail: `${request.method} ${request.url.split('?')[0]}` },
  )
}

export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError)
}
