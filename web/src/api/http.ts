/** The only module that fetches. Checks every response against the shared schema. */
import { errorBody, LabError } from '@expresslane/shared/wire/errors'
import type { RunId, SessionId } from '@expresslane/shared/run/events'
import {
  labsResponse,
  profile,
  profilesResponse,
  runAccepted,
  runResponse,
  runsResponse,
  sessionsResponse,
  sessionView,
  testbedView,
  type CreateSessionBody,
  type RunsQuery,
  type RunStepBody,
  type SaveProfileBody,
} from '@expresslane/shared/wire/protocol'
import { recordingsResponse, recordingView } from '@expresslane/shared/recordings/recording'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { z } from 'zod'

/** No response: the server is down or unreachable. Not a {@link LabError}, because those come from the server. */
export class NetworkFailure extends Error {
  override readonly name = 'NetworkFailure'
}

async function answerOf(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (cause) {
    throw new NetworkFailure('Expresslane did not respond.', { cause })
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

async function request<T>(schema: z.ZodType<T>, path: string, init: RequestInit = {}): Promise<T> {
  const response = await answerOf(path, init)
  const body = await jsonOf(response)
  if (!response.ok) throw refusal(path, body)
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw unreadable(path, parsed.error)
  return parsed.data
}

/** Fetches a file of the server that is not JSON. */
async function file(path: string): Promise<Response> {
  const response = await answerOf(path, {})
  if (!response.ok) throw refusal(path, await jsonOf(response))
  return response
}

function send<T>(method: 'POST' | 'PUT', schema: z.ZodType<T>, path: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json' }
  return request(schema, path, { method, headers, body: JSON.stringify(body) })
}

function post<T>(schema: z.ZodType<T>, path: string, body: object = {}): Promise<T> {
  return send('POST', schema, path, body)
}

/** Deletes; the response has no body. */
async function remove(path: string): Promise<void> {
  const response = await answerOf(path, { method: 'DELETE' })
  if (!response.ok) throw refusal(path, await jsonOf(response))
}

/** Which runs of the history to list. */
export type RunsAsked = Omit<RunsQuery, 'limit'> & { limit?: number }

function queryOf(query: RunsAsked): string {
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, `${value}`]]))
  return new URLSearchParams(given).toString()
}

/**
 * The HTTP API, one function per endpoint.
 *
 * @throws LabError with the server's code; {@link NetworkFailure} without a response
 */
export const http = {
  labs: () => request(labsResponse, '/api/labs'),
  /** @param probe whether to run the preflight probes again instead of returning their last results */
  testbed: (id: TestbedId, probe: boolean) => request(testbedView, `/api/testbeds/${id}${probe ? '?fresh=true' : ''}`),
  moveTestbed: (id: TestbedId, context: string) => send('PUT', testbedView, `/api/testbeds/${id}/context`, { context }),
  sessions: () => request(sessionsResponse, '/api/sessions'),
  session: (id: SessionId) => request(sessionView, `/api/sessions/${id}`),
  createSession: (body: CreateSessionBody) => post(sessionView, '/api/sessions', body),
  runStep: (session: SessionId, step: string, body: RunStepBody) =>
    post(runAccepted, `/api/sessions/${session}/steps/${encodeURIComponent(step)}/run`, body),
  reset: (session: SessionId) => post(runAccepted, `/api/sessions/${session}/reset`),
  cancel: (run: RunId) => post(runAccepted, `/api/runs/${run}/cancel`),
  /** The text of a report. */
  report: async (path: string) => (await file(path)).text(),
  /** One of the page's own files. */
  bytes: async (path: string) => new Uint8Array(await (await file(path)).arrayBuffer()),
  runs: (query: RunsAsked) => request(runsResponse, `/api/runs?${queryOf(query)}`),
  run: (id: RunId) => request(runResponse, `/api/runs/${id}`),
  profiles: () => request(profilesResponse, '/api/profiles'),
  saveProfile: (body: SaveProfileBody) => send('PUT', profile, '/api/profiles', body),
  recordings: () => request(recordingsResponse, '/api/recordings'),
  /** @param text the unparsed file, so that the server can report errors by line */
  importRecording: (text: string) =>
    request(recordingView, '/api/recordings', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    }),
  removeRecording: (id: string) => remove(`/api/recordings/${encodeURIComponent(id)}`),
  forgetProfile: (name: string) => remove(`/api/profiles/${encodeURIComponent(name)}`),
}
