/** People who use a server: each has a key, sends requests and opens streams. */
import { errorBody } from '@expresslane/shared/base/errors'
import { runAccepted, sessionView, type Session } from '@expresslane/shared/wire/protocol'
import { expect } from 'vitest'
import type { z } from 'zod'
import type { Key } from '../../../src/access/principal.ts'
import { startServer, type Answer, type ServerOptions, type TestServer } from './server.ts'
import { connect, type StreamClient } from './stream-client.ts'

/** A participant by this name, with a key. */
export function participant(id: string): Key {
  return { token: `${id}-token`, principal: { id, role: 'participant', name: id } }
}

/** A follower without rights. */
const viewer: Key = { token: 'viewer-token', principal: { id: 'viewer', role: 'viewer', name: 'Viewer' } }

export interface Person {
  call(path: string, body?: object, method?: string): Promise<Answer>
  read<T>(schema: z.ZodType<T>, path: string, status?: number, body?: object, method?: string): Promise<T>
  /** The status of a response, and the error code of a refusal. */
  tries(path: string, body?: object, method?: string): Promise<[number, string | null]>
  /** The text of a response with status 200. */
  text(path: string): Promise<string>
  begins(labId?: string, testbed?: string): Promise<Session>
  stream(after?: number): StreamClient
}

export function person({ ask, port }: TestServer, token: string): Person {
  const call = (path: string, body?: object, method = body === undefined ? 'GET' : 'POST') =>
    ask(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })

  async function read<T>(schema: z.ZodType<T>, path: string, status = 200, body?: object, method?: string): Promise<T> {
    const answer = await call(path, body, method)
    expect(answer.status, answer.text).toBe(status)
    return schema.parse(JSON.parse(answer.text))
  }

  return {
    call,
    read,
    async tries(path, body, method) {
      const { status, text } = await call(path, body, method)
      return [status, status < 400 ? null : errorBody.parse(JSON.parse(text)).error.code]
    },
    async text(path) {
      const answer = await call(path)
      expect(answer.status, answer.text).toBe(200)
      return answer.text
    },
    begins: async (labId = 'big-tcp-ipv4', testbed = 'netns') =>
      (await read(sessionView, '/api/sessions', 201, { labId, testbed })).session,
    stream: (after) => connect({ port, token }, after),
  }
}

export interface Classroom {
  readonly server: TestServer
  readonly instructor: Person
  /** Alice and Bob, participants. */
  readonly hers: Person
  readonly his: Person
  readonly viewer: Person
}

/** A server with an instructor, two participants and a viewer. */
export async function classroom(options: ServerOptions = {}): Promise<Classroom> {
  const [alice, bob] = [participant('alice'), participant('bob')]
  const server = await startServer({ guests: [alice, bob, viewer], ...options })
  return {
    server,
    instructor: person(server, server.token),
    hers: person(server, alice.token),
    his: person(server, bob.token),
    viewer: person(server, viewer.token),
  }
}

/** Runs the preflight step of a session. @returns the run's id, once it is over */
export async function preflight(server: TestServer, who: Person, session: string): Promise<string> {
  const { runId } = await who.read(runAccepted, `/api/sessions/${session}/steps/preflight/run`, 202, {})
  await server.deps.scheduler.settled(runId)
  return runId
}
