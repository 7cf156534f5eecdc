/** A participant as a browser has it: a cookie, a stream, and one run after the other. */
import { once } from 'node:events'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { LoggedEvent, RunId } from '@expresslane/shared/run/events'
import type { StepParams } from '@expresslane/shared/labs/lab'
import { runAccepted, sessionView } from '@expresslane/shared/wire/protocol'
import { door } from '@expresslane/shared/wire/board'
import { me } from '@expresslane/shared/wire/room'
import { WebSocket } from 'ws'
import type { BenchApp } from '../support/app.ts'
import { frameOf } from '../support/frames.ts'

export interface Participant {
  readonly id: string
  readonly name: string
  /** The value of the login's cookie, also good as a bearer token. */
  readonly key: string
  /** Begins a session on the participant's own testbed. @param testbed its kind @returns the session's id */
  session(labId: string, testbed?: TestbedKind): Promise<string>
  /** Runs a step and resolves when it has ended. @throws Error if it did not pass */
  run(sessionId: string, stepId: string, params: StepParams): Promise<void>
  /** Resolves when a run has ended. */
  ended(runId: RunId): Promise<void>
  /** All events that arrived, in order. */
  readonly events: readonly LoggedEvent[]
  /** By event: the milliseconds from its own time to its arrival. */
  readonly delays: readonly number[]
  /** Resolves when their stream has ended. */
  readonly closed: Promise<unknown>
  close(): void
}

/** Opens the participants' door, also for as many from this machine as there are seats. @returns the code to type */
export async function openDoor(app: BenchApp): Promise<string> {
  await app.ask('POST', '/api/room/networks', { network: '127.0.0.1' })
  const { code } = door.parse(await app.ask('PUT', '/api/room/doors/participant', { open: true }))
  if (code === null) throw new Error('the door is closed')
  return code
}

export async function join({ origin }: Pick<BenchApp, 'origin'>, code: string, name: string): Promise<Participant> {
  const json = { 'content-type': 'application/json', origin }
  const joined = await fetch(new URL('/api/join', origin), {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ code, name }),
  })
  if (!joined.ok) throw new Error(`${name} can’t join: ${joined.status} ${await joined.text()}`)
  const { id } = me.parse(await joined.json())
  const cookies = joined.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
  const cookie = cookies.join('; ')

  const events: LoggedEvent[] = []
  const delays: number[] = []
  const waiting = new Map<RunId, () => void>()
  const ended = new Set<RunId>()
  const socket = new WebSocket(new URL('/api/stream', origin.replace(/^http/, 'ws')), { headers: { cookie, origin } })
  socket.on('message', (data) => {
    const frame = frameOf(data)
    if (frame.type !== 'events') return
    const now = Date.now()
    for (const one of frame.events) {
      events.push(one)
      delays.push(now - one.at)
    }
    for (const { runId, event } of frame.events) {
      if (event.type !== 'run.ended') continue
      ended.add(runId)
      waiting.get(runId)?.()
    }
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'open')
  // A connection that the server breaks reports an error, and closes.
  socket.on('error', () => {})

  async function post(path: string, body: unknown): Promise<unknown> {
    const answer = await fetch(new URL(path, origin), {
      method: 'POST',
      headers: { ...json, cookie },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${name}: ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

  function untilEnded(runId: RunId): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.set(runId, resolve)
    if (ended.has(runId)) resolve()
    return promise
  }

  return {
    id,
    name,
    key: cookies[0]?.split('=')[1] ?? '',
    events,
    delays,
    closed,
    session: async (labId, testbed = 'netns') =>
      sessionView.parse(await post('/api/sessions', { labId, testbed })).session.id,
    async run(sessionId, stepId, params) {
      const { runId } = runAccepted.parse(await post(`/api/sessions/${sessionId}/steps/${stepId}/run`, { params }))
      await untilEnded(runId)
      const own = events.filter((one) => one.runId === runId).map(({ event }) => event)
      const checked = own.find((event) => event.type === 'step.checked')
      if (checked?.outcome.passed === true) return
      const problem = own.find((event) => event.type === 'run.ended')?.problem?.message
      throw new Error(`${name} stopped at ${stepId}: ${problem ?? checked?.outcome.sentence ?? 'unknown'}`)
    },
    ended: untilEnded,
    close: () => socket.terminate(),
  }
}
