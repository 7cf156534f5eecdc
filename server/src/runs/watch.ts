/** Watches one testbed's path: reads it about every second while it may, and tells what is news. */
import { toLabError, type Problem } from '@expresslane/shared/errors'
import type { StreamFrame } from '@expresslane/shared/protocol'
import type { DatapathState } from '@expresslane/shared/reading'
import type { TestbedKind } from '@expresslane/shared/testbed'
import type { Clock } from './clock.ts'
import type { TestbedStatus } from './status.ts'

export type LiveFrame = Extract<StreamFrame, { type: 'live' }>

export interface Watch {
  /** The last frame that was told. */
  last(): LiveFrame | null
  /** Reads now, unless a reading is under way or may not be. */
  wake(): void
  /** Reads now and tells it, news or not. */
  wakeAndTell(): void
  /** Gives up the reading under way; {@link Watch.wake} goes on. */
  pause(): void
  stop(): Promise<void>
}

export interface WatchParts {
  readonly status: TestbedStatus
  readonly clock: Clock
  /** Is there anybody to read for? */
  wanted(): boolean
  tell(frame: LiveFrame): void
}

export const LIVE_EVERY_MS = 1000
/** A single failed reading can be a pod that is just being made anew. */
const FAILURES_TOLD = 2

/** What must differ for a reading to be news: counters grow all the time. */
function newsOf({ intended, agents, kernel, placement }: DatapathState): string {
  return JSON.stringify([intended, agents, kernel.map((device) => ({ ...device, counters: null })), placement])
}

export function watchTestbed(kind: TestbedKind, { status, clock, wanted, tell }: WatchParts): Watch {
  let last: LiveFrame | null = null
  let lastNews = ''
  let failures = 0
  let tellAnyway = false
  let stopped = false
  let reading: { controller: AbortController; done: Promise<void> } | null = null
  let takeBack = (): void => {}

  async function tellIfNews(news: string, datapath: DatapathState | null, problem: Problem | null): Promise<void> {
    if (news === lastNews && !tellAnyway) return
    tellAnyway = false
    lastNews = news
    // A path that differs may be one that was built anew.
    const incarnation = datapath === null ? null : await status.incarnation(kind)
    last = { type: 'live', testbed: kind, incarnation: incarnation ?? last?.incarnation ?? null, datapath, problem }
    tell(last)
  }

  async function read(signal: AbortSignal): Promise<void> {
    let datapath: DatapathState
    try {
      datapath = await status.datapath(kind, signal)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      const problem = toLabError(error).toProblem()
      if (failures >= FAILURES_TOLD) await tellIfNews(JSON.stringify(problem), null, problem)
      return
    }
    await tellIfNews(newsOf(datapath), datapath, null)
  }

  function wake(): void {
    if (reading !== null || stopped) return
    takeBack()
    if (!wanted() || status.measuring(kind)) return
    const controller = new AbortController()
    const done = read(controller.signal).finally(() => {
      reading = null
      takeBack = clock.after(LIVE_EVERY_MS, wake)
    })
    reading = { controller, done }
  }

  function pause(): void {
    takeBack()
    reading?.controller.abort(new Error('not now'))
  }

  return {
    last: () => last,
    wake,
    wakeAndTell() {
      tellAnyway = true
      wake()
    },
    pause,
    async stop() {
      stopped = true
      pause()
      await reading?.done
      takeBack()
    },
  }
}
