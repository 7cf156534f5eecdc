/** Registers the handler of a route that `shared/src/wire` defines. */
import { errorBody } from '@expresslane/shared/base/errors'
import type { Input, Output, Route } from '@expresslane/shared/wire/route'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { z } from 'zod'
import { refusals } from './schemas.ts'

type Request<R extends Route> = FastifyRequest<{
  Params: Output<R, 'params'>
  Querystring: Output<R, 'query'>
  Body: Output<R, 'body'>
}>

/** How the server answers a route, and the route's texts in the API's description. */
interface Served<R extends Route> extends Omit<RouteShorthandOptions, 'schema'> {
  readonly summary: string
  readonly description?: string
  readonly tags: readonly [string]
  /** Statuses of its errors besides {@link refusals}. */
  readonly errors?: readonly number[]
  /** Describes the file that the route sends. */
  readonly file?: string
  /** Empty for a route that strangers may call. */
  readonly security?: readonly []
  /** Returns the JSON, or nothing for 204. The reply has the status of a success before it begins. */
  handler(
    request: Request<R>,
    reply: FastifyReply,
  ): Promise<FastifyReply | (R extends { readonly response: z.ZodType } ? Input<R, 'response'> : void)>
}

function successOf({ status, response, file }: Route, name: string | undefined) {
  if (response !== undefined) return { [status ?? 200]: response }
  if (file === undefined) return { 204: z.null() }
  // A file of JSON can be any value.
  const schemaOf = (type: string) => (type === 'application/json' ? z.unknown() : z.string())
  const content = Object.fromEntries(file.map((type) => [type, { schema: schemaOf(type) }]))
  return { 200: { description: name, content } }
}

/** Registers a route. `access/policy.ts` says who may call it. */
export function serve<const R extends Route>(app: FastifyInstance, route: R, served: Served<R>): void {
  const { summary, description, tags, errors = [], file, security, handler, ...options } = served
  const [method = '', url = ''] = route.at.split(' ')
  const success = successOf(route, file)
  app.route({
    ...options,
    method,
    url,
    schema: {
      summary,
      ...(description !== undefined && { description }),
      tags,
      ...(security && { security }),
      ...(route.params && { params: route.params }),
      ...(route.query && { querystring: route.query }),
      ...(route.body && { body: route.body }),
      response: { ...success, ...refusals, ...Object.fromEntries(errors.map((status) => [status, errorBody])) },
    },
    handler: async (request, reply) => {
      void reply.code(Number(Object.keys(success)[0]))
      const answer = await handler(request as Request<R>, reply)
      // A reply is a promise of nothing: a handler that has sent an answer itself looks like one without an answer.
      return answer === undefined && !reply.sent ? reply.send(null) : answer
    },
  })
}
