/** Many starts in the same moment: one run at a time has the machine, and each refusal has its code. */
import { errorBody } from '@expresslane/shared/base/errors'
import { runAccepted } from '@expresslane/shared/wire/protocol'
import type { LoggedEvent, RunId } from '@expresslane/shared/run/events'
import { openApp, type BenchApp } from '../../support/app.ts'
import { openEvents } from '../../support/events.ts'
import type { Figure } from '../figure.ts'

const STARTS = 1000
const SESSIONS = 12
const labs = ['big-tcp-ipv4', 'big-tcp-ipv6'] as const
const steps = ['preflight', 'deploy', 'verify-off', 'baseline', 'enable', 'restore'] as const
const params = { repeats: 1, seconds: 1 }

/** The highest number of runs between their start and their end. @param events in their order */
function mostAtOnce(events: readonly LoggedEvent[]): number {
  const open = new Set<RunId>()
  let most = 0
  for (const { runId, event } of events) {
    if (event.type === 'run.started') open.add(runId)
    if (event.type === 'run.ended') open.delete(runId)
    most = Math.max(most, open.size)
  }
  return most
}

/** @returns the run; null when it was refused because the line is full */
async function start({ link }: BenchApp, path: string, body: unknown): Promise<RunId | null> {
  const url = new URL(link)
  const authorization = `Bearer ${url.searchParams.get('token')}`
  const answer = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const content: unknown = await answer.json()
  if (answer.status === 202) return runAccepted.parse(content).runId
  const { code } = errorBody.parse(content).error
  if (answer.status === 409 && code === 'queue_full') return null
  throw new Error(`${path}: ${answer.status} ${code}`)
}

export const simultaneousStarts: Figure = {
  name: 'simultaneous-starts',
  async run({ random }) {
    const pick = <T>(from: readonly T[], otherwise: T): T => from[Math.floor(random() * from.length)] ?? otherwise
    const app = await openApp()
    try {
      const sessions: string[] = []
      for (let number = 0; number < SESSIONS; number += 1) sessions.push(await app.session(pick(labs, labs[0])))
      const stream = await openEvents(app.link)
      const wishes = Array.from({ length: STARTS }, () => ({
        path: `/api/sessions/${pick(sessions, '')}/steps/${pick(steps, steps[0])}/run`,
        body: { params, solve: random() < 0.5 },
      }))
      const answers = await Promise.all(wishes.map(({ path, body }) => start(app, path, body)))
      const runs = new Set(answers.filter((run) => run !== null))
      await stream.untilEnded([...runs])
      const next = await start(app, `/api/sessions/${sessions[0] ?? ''}/steps/preflight/run`, { params: {} })
      if (next !== null) await stream.untilEnded([next])
      const most = mostAtOnce(stream.events)
      stream.close()
      const refused = answers.filter((run) => run === null).length
      const joined = answers.length - refused - runs.size
      return {
        what: '1,000 simultaneous starts',
        bound: 'one runs at a time, the next is accepted',
        measured: `${most} at a time: ${runs.size} ran, ${joined} joined a Solve under way, ${refused} refused because the line was full; the next ${next === null ? 'refused' : 'accepted'}`,
        how: `random steps of ${SESSIONS} sessions, half of them with Solve`,
        holds: most === 1 && next !== null,
      }
    } finally {
      await app.close()
    }
  },
}
