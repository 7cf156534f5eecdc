/** Bounds how many requests of one person are answered at once. A few more wait, and beyond that they are refused. */
import { finished } from 'node:stream'
import { LabError } from '@expresslane/shared/base/errors'
import type { Role } from '@expresslane/shared/wire/room'
import type { FastifyInstance } from 'fastify'
import type { Principal } from '../../access/principal.ts'

interface Bound {
  readonly atOnce: number
  /** A browser sends 6 requests at once for all its pages; behind a proxy with HTTP/2 it sends the requests of several pages. */
  readonly waiting: number
}

const guest: Bound = { atOnce: 4, waiting: 32 }
const boundOf: Readonly<Record<Role, Bound>> = {
  instructor: { atOnce: 16, waiting: 128 },
  participant: guest,
  viewer: guest,
}
/** How long a request waits for its turn. */
const WAIT_MS = 30_000
/** For `Retry-After`, in seconds. */
const RETRY_SECONDS = 1
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Timer {
  after(ms: number, callback: () => void): () => void
}

interface Line {
  running: number
  /** Callbacks that let the waiting requests go on, in the order of arrival. */
  readonly waiting: Set<() => void>
}

function tooMany(): LabError {
  return new LabError(
    'too_many_requests',
    'More of your requests are under way than this server answers for one person.',
    'Wait a second and try again. A script waits for an answer before it sends more.',
  )
}

/** Call it after the gate, which says whose request it is. */
export function boundRequests(app: FastifyInstance, timer: Timer): void {
  const lines = new Map<string, Line>()

  function lineOf(key: string): Line {
    const line = lines.get(key) ?? { running: 0, waiting: new Set() }
    lines.set(key, line)
    return line
  }

  function leave(key: string, line: Line): void {
    const [next] = line.waiting
    if (next !== undefined) {
      line.waiting.delete(next)
      next()
      return
    }
    line.running -= 1
    if (line.running === 0) lines.delete(key)
  }

  /** @returns whether its turn came before the time or its client was gone */
  function turn(line: Line, onGone: (gone: () => void) => void): Promise<boolean> {
    return new Promise((resolve) => {
      const go = (): void => {
        takeBack()
        resolve(true)
      }
      const giveUp = (): void => {
        takeBack()
        if (line.waiting.delete(go)) resolve(false)
      }
      line.waiting.add(go)
      const takeBack = timer.after(WAIT_MS, giveUp)
      onGone(giveUp)
    })
  }

  async function enter({ id, role }: Principal, kind: string, onGone: (gone: () => void) => void): Promise<() => void> {
    const bound = boundOf[role]
    const key = `${kind} ${id}`
    const line = lineOf(key)
    if (line.running < bound.atOnce) line.running += 1
    else if (line.waiting.size >= bound.waiting || !(await turn(line, onGone))) throw tooMany()
    return () => leave(key, line)
  }

  app.addHook('onRequest', async ({ caller, ws, method }, reply) => {
    if (caller === null || ws) return
    // Reads that take long, as of a cluster that does not answer, do not hold up a cancel.
    const kind = READS.has(method) ? 'reads' : 'changes'
    try {
      finished(reply.raw, await enter(caller, kind, (gone) => void reply.raw.once('close', gone)))
    } catch (error) {
      void reply.header('retry-after', RETRY_SECONDS)
      throw error
    }
  })
}
