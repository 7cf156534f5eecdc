/** The API without a socket. Every request has the token, and every response is checked with its schema. */
import { errorBody, type Problem } from '@expresslane/shared/base/errors'
import { runAccepted, sessionView, type RunAccepted, type SessionView } from '@expresslane/shared/wire/protocol'
import { expect, onTestFinished } from 'vitest'
import type { z } from 'zod'
import { buildApp } from '../../../src/app.ts'
import { openRig, type Rig, type RigOptions } from '../deps.ts'

interface Answer {
  readonly status: number
  readonly body: unknown
}

export interface Api extends Rig {
  get(url: string): Promise<Answer>
  post(url: string, body?: object): Promise<Answer>
  put(url: string, body: object): Promise<Answer>
  delete(url: string): Promise<Answer>
  /** Text as a body with any content type. */
  send(url: string, payload: string, contentType: string): Promise<Answer>
}

export async function openApi(options: RigOptions = {}): Promise<Api> {
  const rig = openRig(options)
  const { server, token } = await buildApp(rig.deps)
  onTestFinished(() => server.close())
  const headers = { host: 'localhost:0', authorization: `Bearer ${token}` }

  async function inject(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object | string,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const answer = await server.inject({
      method,
      url,
      headers: { ...headers, ...more },
      ...(payload !== undefined && { payload }),
    })
    const isJson = /^application\/json(;|$)/.test(String(answer.headers['content-type']))
    // 204 has none.
    const body = answer.payload === '' ? null : isJson ? answer.json<unknown>() : answer.payload
    return { status: answer.statusCode, body }
  }
  return {
    ...rig,
    get: (url) => inject('GET', url),
    post: (url, body) => inject('POST', url, body),
    put: (url, body) => inject('PUT', url, body),
    delete: (url) => inject('DELETE', url),
    send: (url, payload, contentType) => inject('POST', url, payload, { 'content-type': contentType }),
  }
}

/** The body of a response with this status. */
export function read<T>({ status, body }: Answer, expected: number, schema: z.ZodType<T>): T {
  expect(status, JSON.stringify(body)).toBe(expected)
  return schema.parse(body)
}

/** The problem of a response with this status. */
export function refused(answer: Answer, expected: number): Problem {
  return read(answer, expected, errorBody).error
}

export async function newSession(api: Api, labId = 'big-tcp-ipv4'): Promise<SessionView> {
  return read(await api.post('/api/sessions', { labId }), 201, sessionView)
}

/** Starts a step and returns at once. */
export async function startStep(api: Api, view: SessionView, step: string, body?: object): Promise<RunAccepted> {
  return read(await api.post(`/api/sessions/${view.session.id}/steps/${step}/run`, body), 202, runAccepted)
}
