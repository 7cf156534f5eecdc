/** A guest's session on a recording, which needs no testbed. */
import { runAccepted, sessionView } from '@expresslane/shared/wire/protocol'
import type { BenchApp } from '../../support/app.ts'
import { askAs, type Guest } from './room.ts'
import { post, type Message } from './task.ts'

/** As fast as a recording plays. */
export const PLAYED = { params: { speed: 20 } }

/** Sends a request that must not be refused. @throws Error if it is */
async function mustAsk(app: BenchApp, guest: Guest, message: Message): Promise<unknown> {
  const { status, text } = await askAs(app, guest.key, message)
  if (status >= 300) throw new Error(`${message.path}: ${status} ${text}`)
  return JSON.parse(text)
}

/** Begins a session. @returns its id */
export async function beginSession(app: BenchApp, guest: Guest, labId: string, testbed?: string): Promise<string> {
  const body = { labId, ...(testbed === undefined ? {} : { testbed }) }
  return sessionView.parse(await mustAsk(app, guest, post('/api/sessions', body))).session.id
}

/** Starts a run, and resolves when it has ended. */
async function runToEnd(app: BenchApp, guest: Guest, start: Message): Promise<void> {
  await guest.ended(runAccepted.parse(await mustAsk(app, guest, start)).runId)
}

/** Plays the whole IPv4 lab. @returns the session's id */
export async function recordedSession(app: BenchApp, guest: Guest): Promise<string> {
  const session = await beginSession(app, guest, 'big-tcp-ipv4', 'recording:big-tcp-ipv4')
  await runToEnd(app, guest, post(`/api/sessions/${session}/steps/restore/run`, { ...PLAYED, solve: true }))
  return session
}
