/** The only module that fetches. Checks every response against its schema. */
import { i18n } from '@expresslane/shared/base/language'
import { errorBody, LabError } from '@expresslane/shared/base/errors'
import type { Input, Output, Route } from '@expresslane/shared/wire/route'
import type { z } from 'zod'

/** No response: the server is down or unreachable. Not a {@link LabError}, because those come from the server. */
export class NetworkFailure extends Error {
  override readonly name = 'NetworkFailure'
}

/** How often a read is sent again that the server has no turn for. */
const MOST_RETRIES = 5
const TOO_MANY_REQUESTS = 429

/** Answers a request with a value, which nobody checks: this tab made it. A file is a `Response`. @throws LabError */
export type Answer = (method: string, path: string, body?: unknown) => Promise<unknown>

let inTab: Answer | null = null

/** Sends every request to a function in this tab, for a page without a server. */
export function answerInTab(answer: Answer): void {
  inTab = answer
}

/** Sends a read again when the server says how long to wait. Something that changes is sent once. */
async function answerOf(path: string, init: RequestInit): Promise<Response> {
  const isRead = init.method === 'GET'
  for (let retries = 0; ; retries += 1) {
    const response = await fetch(path, init).catch((cause: unknown) => {
      throw new NetworkFailure('Expresslane did not respond.', { cause })
    })
    const seconds = response.headers.get('retry-after')
    const again = isRead && response.status === TOO_MANY_REQUESTS && seconds !== null && retries < MOST_RETRIES
    if (!again) return response
    await new Promise((resolve) => setTimeout(resolve, Number(seconds) * 1000))
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    // A proxy whose backend is down responds with a 5xx without JSON.
    throw new NetworkFailure(`Expresslane responded with status ${response.status} and no readable body.`, { cause })
  }
}

function unreadable(path: string, cause: z.ZodError): LabError {
  return new LabError(
    'internal',
    i18n.t('This page can’t read the response of the server.'),
    i18n.t('Reload the page: it may be older than the server.'),
    { detail: `${path}: ${cause.message}`, cause },
  )
}

function refusal(path: string, body: unknown): LabError {
  const parsed = errorBody.safeParse(body)
  if (!parsed.success) return unreadable(path, parsed.error)
  const { code, message, remedy, remedyCommand, detail } = parsed.data.error
  return new LabError(code, message, remedy, {
    ...(remedyCommand === null ? {} : { remedyCommand }),
    ...(detail === null ? {} : { detail }),
  })
}

type Asked<R extends Route> = (R extends { readonly params: z.ZodType } ? { params: Input<R, 'params'> } : unknown) &
  (R extends { readonly query: z.ZodType } ? { query?: Input<R, 'query'> } : unknown) &
  (R extends { readonly body: z.ZodType } ? { body: Input<R, 'body'> } : unknown)
type Arguments<R extends Route> = R extends { readonly params: z.ZodType } | { readonly body: z.ZodType }
  ? [asked: Asked<R>]
  : [asked?: Asked<R>]

interface Parts {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | undefined>>
  body?: object
}

function isBytes(body: object): body is Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array
}

/** A testbed's id stays readable: `:` and `@` can stand in a path (RFC 3986, 3.3). */
function segment(value: string): string {
  return encodeURIComponent(value).replace(/%3A|%40/g, decodeURIComponent)
}

function partsOf({ at }: Route, { params = {}, query = {} }: Parts): { method: string; path: string } {
  const [method = '', pattern = ''] = at.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => segment(params[name] ?? ''))
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, `${value}`]]))
  return { method, path: given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}` }
}

/** The address of a route, such as for a link to a file. */
export function addressOf<R extends Route>(route: R, ...[asked]: Arguments<R>): string {
  return partsOf(route, asked ?? {}).path
}

/**
 * Calls a route with JSON, or with a file's bytes.
 *
 * @throws LabError with the server's code; {@link NetworkFailure} without a response
 */
export async function call<R extends Route>(route: R, ...[asked]: Arguments<R>): Promise<Output<R, 'response'>> {
  const parts: Parts = asked ?? {}
  const { method, path } = partsOf(route, parts)
  const { body } = parts
  if (inTab !== null) return inTab(method, path, body) as Promise<Output<R, 'response'>>
  const response = await answerOf(path, {
    method,
    // Also from a page that closes.
    keepalive: method === 'DELETE',
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: isBytes(body) ? body : JSON.stringify(body),
    }),
  })
  if (!response.ok) throw refusal(path, await jsonOf(response))
  const parsed = route.response?.safeParse(await jsonOf(response))
  if (parsed?.success === false) throw unreadable(path, parsed.error)
  return parsed?.data as Output<R, 'response'>
}

/** Fetches a file of the server that is not JSON. */
export async function file(path: string): Promise<Response> {
  if (inTab !== null) return inTab('GET', path) as Promise<Response>
  const response = await answerOf(path, { method: 'GET' })
  if (!response.ok) throw refusal(path, await jsonOf(response))
  return response
}

/** Asks whether the server refuses this browser; false when it does not answer. */
export async function serverRefuses(): Promise<boolean> {
  try {
    return (await fetch('/api/me')).status === 401
  } catch {
    return false
  }
}
