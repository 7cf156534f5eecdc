/** The only module that fetches. Checks every response against its schema. */
import { errorBody, LabError } from '@expresslane/shared/base/errors'
import type { z } from 'zod'

/** No response: the server is down or unreachable. Not a {@link LabError}, because those come from the server. */
export class NetworkFailure extends Error {
  override readonly name = 'NetworkFailure'
}

/** How often a read is sent again that the server has no turn for. */
const MOST_RETRIES = 5
const TOO_MANY_REQUESTS = 429

async function sent(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (cause) {
    throw new NetworkFailure('Expresslane did not respond.', { cause })
  }
}

/** Sends a read again when the server says how long to wait. Something that changes is sent once. */
async function answerOf(path: string, init: RequestInit): Promise<Response> {
  const isRead = init.method === undefined
  for (let retries = 0; ; retries += 1) {
    const response = await sent(path, init)
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
    'This page can’t read the response of the server.',
    'Reload the page: it may be older than the server.',
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

/**
 * Fetches JSON.
 *
 * @throws LabError with the server's code; {@link NetworkFailure} without a response
 */
export async function request<T>(schema: z.ZodType<T>, path: string, init: RequestInit = {}): Promise<T> {
  const response = await answerOf(path, init)
  const body = await jsonOf(response)
  if (!response.ok) throw refusal(path, body)
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw unreadable(path, parsed.error)
  return parsed.data
}

/** Fetches a file of the server that is not JSON. */
export async function file(path: string): Promise<Response> {
  const response = await answerOf(path, {})
  if (!response.ok) throw refusal(path, await jsonOf(response))
  return response
}

const jsonHeaders = { 'content-type': 'application/json' }

/** Sends JSON. */
export function send<T>(method: 'POST' | 'PUT', schema: z.ZodType<T>, path: string, body: object): Promise<T> {
  return request(schema, path, { method, headers: jsonHeaders, body: JSON.stringify(body) })
}

export function post<T>(schema: z.ZodType<T>, path: string, body: object = {}): Promise<T> {
  return send('POST', schema, path, body)
}

/** Sends JSON, and needs nothing of the response but that it is no refusal. */
export async function sendOnly(method: 'POST' | 'PUT', path: string, body: object = {}): Promise<void> {
  await bodiless(path, { method, headers: jsonHeaders, body: JSON.stringify(body) })
}

/** Deletes; the response has no body. */
export async function remove(path: string): Promise<void> {
  await bodiless(path, { method: 'DELETE' })
}

async function bodiless(path: string, init: RequestInit): Promise<void> {
  const response = await answerOf(path, init)
  if (!response.ok) throw refusal(path, await jsonOf(response))
}

/** Asks whether the server refuses this browser; false when it does not answer. */
export async function serverRefuses(): Promise<boolean> {
  try {
    return (await fetch('/api/me')).status === 401
  } catch {
    return false
  }
}
