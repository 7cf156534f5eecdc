/** Sends grades to learning platforms: when a step passes, again while a platform does not answer, and after a restart. */
import { stepsDone } from '@expresslane/shared/run/progress'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import pMap from 'p-map'
import type { Logger } from 'pino'
import type { LabCatalogue } from '../../labs/catalogue.ts'
import type { Clock } from '../../runs/clock.ts'
import type { RunLog } from '../../runs/log/run-log.ts'
import { sessionRuns } from '../../runs/log/session-runs.ts'
import type { Store } from '../../store/open.ts'
import type { Launch } from '../../store/people/launches.ts'
import { letOthers } from '../../workers/turns.ts'
import type { Tool } from './tool.ts'

interface Parts {
  readonly store: Store
  readonly log: RunLog
  readonly labs: Pick<LabCatalogue, 'find'>
  readonly clock: Clock
  readonly logger: Logger
}

export interface Grades {
  /** Sends the grades of a participant that their platforms do not have yet. */
  note(principal: string): void
  close(): Promise<void>
}

const AT_ONCE = 8
/** After a failure; doubled with each attempt. */
const AGAIN_MS = 60_000
const LATEST_MS = 60 * 60_000

/** Begins with the grades that an earlier process could not send. */
export function createGrades({ store, log, labs, clock, logger }: Parts, tool: Pick<Tool, 'grade'>): Grades {
  const waiting = new Set(store.launches.people())
  const failed = new Set<string>()
  const stopping = new AbortController()
  let working: Promise<void> | null = null
  let wait = AGAIN_MS
  /** Takes back that failed grades are sent again. */
  let cancel: (() => void) | null = null

  /** In the best session of the lab. A playback of a recording passes nothing. */
  function doneIn({ principal, labId }: Launch): ReturnType<typeof stepsDone> {
    const lab = labs.find(labId)
    const own = store.sessions.of(principal).filter((one) => one.labId === labId)
    const counted = own.filter(({ testbed }) => lab !== undefined && !propertiesOf(testbed).isRecorded)
    const results = counted.map(({ id }) => stepsDone(lab ?? { steps: [] }, sessionRuns({ store, log }, id)))
    return results.toSorted((a, b) => b.done - a.done)[0] ?? { done: 0, of: 0 }
  }

  /** @returns whether the platforms have all grades of the participant */
  async function send(principal: string): Promise<boolean> {
    let all = true
    for (const launch of store.launches.graded(principal)) {
      try {
        const steps = doneIn(launch)
        if (steps.done <= launch.sent || stopping.signal.aborted) continue
        await tool.grade(launch, steps, stopping.signal)
        store.launches.noteSent(launch, steps.done)
      } catch (error) {
        all = false
        if (!stopping.signal.aborted) logger.warn({ err: error, issuer: launch.issuer }, 'a grade could not be sent')
      }
    }
    await letOthers()
    return all
  }

  async function sendAll(): Promise<void> {
    while (waiting.size > 0 && !stopping.signal.aborted) {
      const people = [...waiting]
      waiting.clear()
      await pMap(people, async (one) => void ((await send(one)) ? failed.delete(one) : failed.add(one)), {
        concurrency: AT_ONCE,
      })
    }
    if (failed.size === 0) wait = AGAIN_MS
    else if (!stopping.signal.aborted) cancel ??= clock.after(wait, tryAgain)
  }

  function begin(): void {
    working ??= sendAll().finally(() => {
      working = null
      if (waiting.size > 0 && !stopping.signal.aborted) begin()
    })
  }

  function tryAgain(): void {
    cancel = null
    wait = Math.min(2 * wait, LATEST_MS)
    for (const one of failed) waiting.add(one)
    begin()
  }

  function note(principal: string): void {
    waiting.add(principal)
    begin()
  }

  const unsubscribe = log.subscribe(({ runId, event }) => {
    if (event.type !== 'run.ended') return
    const session = store.sessions.find(log.state(runId)?.sessionId ?? '')
    if (session !== null) note(session.owner)
  })
  begin()
  return {
    note,
    async close() {
      unsubscribe()
      cancel?.()
      stopping.abort()
      await working
    },
  }
}
