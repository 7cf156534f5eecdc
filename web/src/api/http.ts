/** The one place that fetches. Every answer is held against the shared schema before anyone sees it. */
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

/** Nothing answered: the server is down or the way to it is. Not a {@link LabError}, for no server said it. */
export class NetworkFailure extends Error {
  override readonly name = 'NetworkFailure'
}

async function answerOf(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (cause) {
    throw new NetworkFailure('Expresslane did not answer.', { cause })
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch (cause) {
    // A proxy whose backend is away answers with a bare 5xx and no JSON.
    throw new NetworkFailure(`Expresslane answered with ${response.status} and no readable body.`, { cause })
  }
}

function unreadable(path: string, cause: z.ZodError): LabError {
  return new LabError(
    'internal',
    'The server said something that this page does not understand.',
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

/** What is no JSON: a file of the server's. */
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

/** For an answer without a body. */
async function remove(path: string): Promise<void> {
  const response = await answerOf(path, { method: 'DELETE' })
  if (!response.ok) throw refusal(path, await jsonOf(response))
}

/** What of the history to list. */
export type RunsAsked = Omit<RunsQuery, 'limit'> & { limit?: number }

function queryOf(query: RunsAsked): string {
  const given = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, `${value}`]]))
  return new URLSearchParams(given).toString()
}

/**
 * The HTTP API, a function an endpoint.
 *
 * @throws LabError with the server's code; {@link NetworkFailure} when nothing answered
 */
export const http = {
  labs: () => request(labsResponse, '/api/labs'),
  /** @param probe whether preflight's probes run again, instead of telling what they found last */
  testbed: (id: TestbedId, probe: boolean) => request(testbedView, `/api/testbeds/${id}${probe ? '?fresh=true' : ''}`),
  moveTestbed: (id: TestbedId, context: string) => send('PUT', testbedView, `/api/testbeds/${id}/context`, { context }),
  sessions: () => request(sessionsResponse, '/api/sessions'),
  session: (id: SessionId) => request(sessionView, `/api/sessions/${id}`),
  createSession: (body: CreateSessionBody) => post(sessionView, '/api/sessions', body),
  runStep: (session: SessionId, step: string, body: RunStepBody) =>
    post(runAccepted, `/api/sessions/${session}/steps/${encodeURIComponent(step)}/run`, body),
  reset: (session: SessionId) => post(runAccepted, `/api/sessions/${session}/reset`),
  cancel: (run: RunId) => post(runAccepted, `/api/runs/${run}/cancel`),
  /** A report's text. */
  report: async (path: string) => (await file(path)).text(),
  /** One of the page's own files. */
  bytes: async (path: string) => new Uint8Array(await (await file(path)).arrayBuffer()),
  runs: (query: RunsAsked) => request(runsResponse, `/api/runs?${queryOf(query)}`),
  run: (id: RunId) => request(runResponse, `/api/runs/${id}`),
  profiles: () => request(profilesResponse, '/api/profiles'),
  saveProfile: (body: SaveProfileBody) => send('PUT', profile, '/api/profiles', body),
  recordings: () => request(recordingsResponse, '/api/recordings'),
  /** @param text the file's own: the server tells what is wrong with it by its lines */
  importRecording: (text: string) =>
    request(recordingView, '/api/recordings', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    }),
  removeRecording: (id: string) => remove(`/api/recordings/${encodeURIComponent(id)}`),
  forgetProfile: (name: string) => remove(`/api/profiles/${encodeURIComponent(name)}`),
}
