/** Ends a server at random moments of random labs, starts it again on the same data, and checks the rest. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { labsResponse, runAccepted } from '@expresslane/shared/wire/protocol'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { openApp, type BenchApp } from '../../support/app.ts'
import { openEvents } from '../../support/events.ts'
import type { FigureContext } from '../figure.ts'
import { watchTraces } from './traces.ts'
import { untruths } from './truth.ts'

/** The latest moment after the click. The short labs take less, the sweeps more. */
const LATEST_MS = 5000
/** How long the kernel may take to end the server's processes. */
const GONE_MS = 5000

export interface Outcome {
  rounds: number
  /** Events that a client had received. */
  streamed: number
  /** How long each end took, until the server's process was gone, in milliseconds. */
  readonly took: number[]
  /** How long until all that it had started was gone, too. */
  readonly gone: number[]
  /** Each fault found: the number of its round, and a sentence. */
  readonly faults: string[]
}

interface Lab {
  readonly id: string
  readonly steps: readonly string[]
}

async function labsOf(app: BenchApp): Promise<Lab[]> {
  const { labs } = labsResponse.parse(await app.ask('GET', '/api/labs'))
  return labs.flatMap(({ id, steps }) => {
    const actions = steps.filter(({ action }) => action !== null).map((step) => step.id)
    // The Bench page's lab has one step, which needs a plan.
    return actions.includes('preflight') ? [{ id, steps: actions }] : []
  })
}

/** Streamed events that the store does not have, or has otherwise. */
function lost(streamed: readonly LoggedEvent[], stored: readonly LoggedEvent[]): string[] {
  const bySeq = new Map(stored.map((event) => [event.seq, event]))
  const missing = streamed.filter((event) => !isDeepStrictEqual(event, bySeq.get(event.seq)))
  const gaps = stored.filter(({ seq }, index) => index > 0 && seq !== (stored[index - 1]?.seq ?? 0) + 1)
  return [
    ...missing.map(({ seq, event }) => `event ${seq} (${event.type}) was streamed, but is not stored so`),
    ...gaps.map(({ seq }) => `no event before ${seq}`),
  ]
}

/** Runs without an end, or with several. */
function badlyEnded(events: readonly LoggedEvent[]): string[] {
  const runs = Map.groupBy(events, ({ runId }) => runId)
  return [...runs].flatMap(([id, own]) => {
    const ends = own.filter(({ event }) => event.type === 'run.ended').length
    return ends === 1 ? [] : [`run ${id} has ${ends} ends`]
  })
}

/**
 * @param signal how the server is ended
 * @param code the exit code that it should have; null for a server that is killed
 * @param stopped whether the programs that it has started are stopped first (SIGSTOP)
 */
export async function endAtRandom(
  signal: 'SIGKILL' | 'SIGTERM',
  code: 0 | null,
  rounds: number,
  { random }: FigureContext,
  stopped = false,
): Promise<Outcome> {
  const data = await mkdtemp(join(tmpdir(), 'expresslane-ends-'))
  const traces = watchTraces(data)
  const env = { EXPRESSLANE_DATA: data, PATH: `${process.env['PATH'] ?? ''}:${data}` }
  const outcome: Outcome = { rounds: 0, streamed: 0, took: [], gone: [], faults: [] }
  let app = await openApp(env)
  try {
    const labs = await labsOf(app)
    let seen = 0
    for (let round = 1; round <= rounds; round += 1) {
      const lab = labs[Math.floor(random() * labs.length)]
      const step = lab?.steps[Math.floor(random() * lab.steps.length)]
      const wait = random() * LATEST_MS
      if (lab === undefined || step === undefined) throw new Error('there are no labs')
      const fault = (what: string): number =>
        outcome.faults.push(`round ${round} (${step} of ${lab.id}, ${wait.toFixed(0)} ms): ${what}`)

      const session = await app.session(lab.id)
      const stream = await openEvents(app.link, seen)
      const params = { repeats: 1, seconds: 1 }
      await app.ask('POST', `/api/sessions/${session}/steps/${step}/run`, { params, solve: true })
      await delay(wait)
      traces.note()
      if (stopped) traces.stopPrograms()
      const exited = once(app.server, 'exit')
      const began = performance.now()
      app.server.kill(signal)
      await exited
      const ended = app.server.exitCode
      outcome.took.push(performance.now() - began)
      await stream.closed
      const left = await traces.left(GONE_MS)
      outcome.gone.push(performance.now() - began)
      if (ended !== code) fault(`it ended with ${ended ?? 'a signal'}`)
      for (const one of left) fault(`${one} is left`)

      app = await openApp(env)
      const after = await openEvents(app.link, seen)
      await after.untilPresent()
      const stored = [...after.events]
      for (const one of lost(stream.events, stored)) fault(one)
      for (const one of badlyEnded(stored)) fault(one)
      for (const one of await untruths(app)) fault(one)
      const next = runAccepted.parse(await app.ask('POST', `/api/sessions/${session}/steps/preflight/run`, {}))
      if (next.queue !== null) fault('the next run had to wait')
      await after.untilEnded([next.runId])
      const end = after.events.findLast(({ runId }) => runId === next.runId)?.event
      if (end?.type !== 'run.ended' || end.state !== 'completed') fault('the next run did not complete')
      seen = after.events.at(-1)?.seq ?? seen
      after.close()
      outcome.streamed += stream.events.length
      outcome.rounds = round
    }
    return outcome
  } finally {
    await app.close()
    await rm(data, { recursive: true, force: true })
  }
}
