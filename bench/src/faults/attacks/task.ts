/** The task of a thread that attacks a server, and its report. */
import { z } from 'zod'

export const message = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE']),
  path: z.string(),
  /** As JSON; null for none. */
  body: z.string().nullable(),
})
export type Message = z.infer<typeof message>

export const task = z.strictObject({
  origin: z.url(),
  /** The login of the person who attacks; null for a stranger. */
  key: z.string().nullable(),
  /** Sent in turn, again and again. */
  messages: z.array(message).min(1),
  /** Connections that are open at the same time. A closed connection is opened again. */
  connections: z.int(),
  /** Requests that are outstanding on each of them. */
  each: z.int(),
  /** Milliseconds from an answer to the next request; null for somebody who reads no answer. */
  everyMs: z.int().nullable(),
})
export type Task = z.infer<typeof task>

/** Answers by status and error code: `202`, `409 queue_full`; `closed` counts connections that the server closed. */
export const progress = z.strictObject({ sent: z.int(), answers: z.record(z.string(), z.int()) })
export type Progress = z.infer<typeof progress>

export function get(path: string): Message {
  return { method: 'GET', path, body: null }
}

export function post(path: string, body?: unknown): Message {
  return { method: 'POST', path, body: body === undefined ? null : JSON.stringify(body) }
}
