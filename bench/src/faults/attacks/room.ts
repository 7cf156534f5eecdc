/** A room with an instructor, somebody quiet, and the person who attacks the server. */
import { setTimeout as delay } from 'node:timers/promises'
import type { RunId } from '@expresslane/shared/run/events'
import { errorBody, type ErrorCode } from '@expresslane/shared/base/errors'
import { runAccepted, runsResponse } from '@expresslane/shared/wire/protocol'
import { newInvitation } from '@expresslane/shared/wire/board'
import type { GuestRole } from '@expresslane/shared/wire/room'
import type { BenchApp } from '../../support/app.ts'
import { openEvents } from '../../support/events.ts'
import { join, type Participant } from '../../workshop/participant.ts'
import { get, post, type Message } from './task.ts'

const LAB = 'big-tcp-ipv4'
/** As many pages as a room opens while it gathers: V8 has compiled its code then, and its heap has the size of ordinary use. */
const USUAL_ROUNDS = 20
/** The requests that every page sends when it opens. */
const usual = ['/', '/api/labs', '/api/openapi.json', '/api/testbeds', '/api/me', '/api/presentation']
/** The instructor looks at the board before cancelling the run ahead. */
const BOARD_MS = 500
const POLL_MS = 20
/** The wait for an answer to the instructor. Longer than every bound. */
const PATIENCE_MS = 20_000

export interface Answer {
  readonly status: number
  readonly text: string
}

/** Somebody whose access the instructor can take back. */
export interface Guest extends Participant {
  /** The path of the instructor's request that takes the access back. */
  readonly removal: string
}

/** Sends a request with a login key. It does not throw for a refusal. */
export async function askAs({ origin }: BenchApp, key: string, { method, path, body }: Message): Promise<Answer> {
  const answer = await fetch(new URL(path, origin), {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === null ? {} : { 'content-type': 'application/json' }) },
    ...(body === null ? {} : { body }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  return { status: answer.status, text: await answer.text() }
}

/** The code of a proper refusal: a status from 400 to 499 with a body that says why. @throws Error for any other answer */
export function refusalOf({ status, text }: Answer): ErrorCode {
  if (status < 400 || status >= 500) throw new Error(`no refusal: ${status} ${text.slice(0, 300)}`)
  return errorBody.parse(JSON.parse(text)).error.code
}

/** Sends a request as the instructor. It does not throw for a refusal. */
export function askAsInstructor(app: BenchApp, message: Message): Promise<Answer> {
  return askAs(app, new URL(app.link).searchParams.get('token') ?? '', message)
}

/** Lets somebody in with an invitation of their own. */
async function letIn(app: BenchApp, role: GuestRole, name: string): Promise<Guest> {
  const { invitation, link } = newInvitation.parse(await app.ask('POST', '/api/room/invitations', { role }))
  const one = await join(app, link.split('/').at(-1) ?? '', name)
  const removal = role === 'viewer' ? `/api/room/invitations/${invitation.id}` : `/api/room/participants/${one.id}`
  return { ...one, removal }
}

async function useAsUsual(app: BenchApp, { key }: Guest): Promise<void> {
  for (let round = 0; round < USUAL_ROUNDS; round += 1) {
    for (const path of usual) await askAs(app, key, get(path))
  }
}

/** Milliseconds until the work is done; null if it fails or takes too long. */
async function timed(work: () => Promise<void>): Promise<number | null> {
  const began = performance.now()
  const done = work().then(
    () => performance.now() - began,
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error)
      return null
    },
  )
  return Promise.race([done, delay(PATIENCE_MS, null, { ref: false })])
}

export interface Room {
  readonly app: BenchApp
  /** The person who attacks; somebody who does nothing, when a stranger attacks. */
  readonly attacker: Guest
  /**
   * The instructor starts a measurement, and cancels a run that it would have to wait for.
   *
   * @returns milliseconds until it has started
   */
  instructorStarts(): Promise<number | null>
  /** @returns milliseconds until the attacker's key is refused and their page is closed */
  removeAttacker(): Promise<number | null>
  /** Whether somebody quiet still has access and an open page. */
  keepsQuiet(): Promise<boolean>
  close(): void
}

/** @param role of the attacker; null for a stranger */
export async function openRoom(app: BenchApp, role: GuestRole | null): Promise<Room> {
  const quiet = await letIn(app, 'participant', 'Quiet')
  const attacker = await letIn(app, role ?? 'participant', 'Attacker')
  const session = await app.session(LAB)
  await Promise.all([app.run(session, 'deploy', {}), useAsUsual(app, quiet)])
  const stream = await openEvents(app.link)

  async function cancelRunning(): Promise<void> {
    const { runs } = runsResponse.parse(await app.ask('GET', '/api/runs?state=running&limit=20'))
    for (const { id } of runs) await askAsInstructor(app, post(`/api/runs/${id}/cancel`))
  }

  function started(id: RunId): Promise<void> {
    return stream.until((events) => events.some(({ runId, event }) => runId === id && event.type === 'run.started'))
  }

  return {
    app,
    attacker,
    instructorStarts: () =>
      timed(async () => {
        const body = { params: { repeats: 1, seconds: 1 } }
        const { runId, queue } = runAccepted.parse(
          await app.ask('POST', `/api/sessions/${session}/steps/baseline/run`, body),
        )
        if (queue !== null) {
          await delay(BOARD_MS)
          await cancelRunning()
        }
        await started(runId)
      }),
    removeAttacker: () =>
      timed(async () => {
        await app.ask('DELETE', attacker.removal)
        await attacker.closed
        while ((await askAs(app, attacker.key, get('/api/me'))).status !== 401) await delay(POLL_MS)
      }),
    async keepsQuiet() {
      const isOpen = await Promise.race([quiet.closed.then(() => false), delay(0, true)])
      return isOpen && (await askAs(app, quiet.key, get('/api/me'))).status === 200
    },
    close() {
      stream.close()
      attacker.close()
      quiet.close()
    },
  }
}
