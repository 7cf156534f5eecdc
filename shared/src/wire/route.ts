/** A route of the HTTP API as data: the server registers it, and the page calls it with the types of its schemas. */
import type { z } from 'zod'

/**
 * The page loads these definitions, so they hold no prose: the summary and the errors of a route are beside its handler in
 * `server/src/routes`.
 */
export interface Route {
  /** Method and path, as in `access/policy.ts`: `POST /api/sessions/:id/reset`. */
  readonly at: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The status of a success: 200 if it is missing, and 204 without `response` and `file`. */
  readonly status?: 201 | 202
  /** The JSON of a success. */
  readonly response?: z.ZodType
  /** A success is a file of one of these media types. */
  readonly file?: readonly string[]
}

type Part = 'params' | 'query' | 'body' | 'response'
type SchemaOf<R extends Route, P extends Part> = R extends { readonly [key in P]: infer S extends z.ZodType }
  ? S
  : never

/** A part of a route before its schema reads it; `never` for a part that the route does not have. */
export type Input<R extends Route, P extends Part> = z.input<SchemaOf<R, P>>
/** A part of a route after its schema has read it. */
export type Output<R extends Route, P extends Part> = z.output<SchemaOf<R, P>>
