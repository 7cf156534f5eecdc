/** The HTTP API of labs, runs and recordings. */
import type { RunId, SessionId } from '@expresslane/shared/run/events'
import {
  labsResponse,
  opinionResponse,
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
import { me } from '@expresslane/shared/wire/room'
import { recordingsResponse, recordingView } from '@expresslane/shared/recordings/recording'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { file, post, remove, request, send } from './request.ts'

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
  me: () => request(me, '/api/me'),
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
  opinion: (run: RunId) => request(opinionResponse, `/api/runs/${run}/opinion`),
  askOpinion: (run: RunId) => post(runAccepted, `/api/runs/${run}/opinion`),
  cancel: (run: RunId) => post(runAccepted, `/api/runs/${run}/cancel`),
  /** The text of a report. */
  report: async (path: string) => (await file(path)).text(),
  /** One of the page's own files. */
  bytes: async (path: string) => new Uint8Array(await (await file(path)).arrayBuffer()),
  runs: (query: RunsAsked) => request(runsResponse, `/api/runs?${queryOf(query)}`),
  run: (id: RunId) => request(runResponse, `/api/runs/${id}?events=false`),
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
