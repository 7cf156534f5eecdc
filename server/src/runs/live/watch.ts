/** Watches one testbed's path: reads it whenever it may have changed, and tells what is news. */
import { toLabError, type Problem } from '@expresslane/shared/wire/errors'
import type { LiveFrame } from '@expresslane/shared/wire/protocol'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Clock } from '../clock.ts'
import type { TestbedStatus } from './status.ts'
import type { Testbeds } from '../testbeds.ts'

export interface Watch {
  /** The last frame that was told. */
  last(): LiveFrame | null
  /** Reads now and tells it, news or not, and goes on watching; unless the testbed may not be disturbed. */
  wakeAndTell(): void
  /** Takes in what a run has just read: a run that measures is not read beside, and its own readings show the path. */
  take(datapath: DatapathState, incarnation: string): void
  /** Goes on watching, unless the testbed may not be disturbed. */
  wake(): void
  /** Gives up the reading under way, and watches no more until it is woken. */
  pause(): void
  stop(): Promise<void>
}

export interface WatchParts {
  readonly testbeds: Testbeds
  readonly status: TestbedStatus
  readonly clock: Clock
  tell(frame: LiveFrame): void
}

/** How often a testbed is read that does not tell of changes. */
export const LIVE_EVERY_MS = 1000
/** A single failed reading can be a pod that is just being made anew. */
const FAILURES_TOLD = 2
/** A testbed that stays away is asked less often. */
const FAILURES_OFTEN = 3
const LIVE_AWAY_MS = 5000

/** What must differ for a reading to be news: counters grow all the time. */
function newsOf({ settings, agents, kernel, unread, carried, placement }: DatapathState): string {
  const devices = kernel.map((device) => ({ ...device, counters: null }))
  return JSON.stringify([settings, agents, devices, unread, carried, placement])
}

/** Resolves after `ms`, or at once when aborted. */
function pauseFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    const takeBack = clock.after(ms, resolve)
    signal.addEventListener(
      'abort',
      () => {
        takeBack()
        resolve()
      },
      { once: true },
    )
  })
}

async function* everySecond(clock: Clock, signal: AbortSignal): AsyncGenerator<void> {
  for (;;) {
    yield
    await pauseFor(clock, LIVE_EVERY_MS, signal)
    signal.throwIfAborted()
  }
}

export function watchTestbed(id: TestbedId, { testbeds, status, clock, tell }: WatchParts): Watch {
  let last: LiveFrame | null = null
  let lastNews = ''
  let failures = 0
  let tellAnyway = false
  let stopped = false
  let reading: Promise<void> | null = null
  let readAgain = false
  let following: { readonly controller: AbortController; readonly done: Promise<void> } | null = null
  let followAgain = false

  function isNews(news: string): boolean {
    if (news === lastNews && !tellAnyway) return false
    tellAnyway = false
    lastNews = news
    return true
  }

  function send(incarnation: string | null, datapath: DatapathState | null, problem: Problem | null): void {
    last = { type: 'live', testbed: id, incarnation: incarnation ?? last?.incarnation ?? null, datapath, problem }
    tell(last)
  }

  async function tellIfNews(news: string, datapath: DatapathState | null, problem: Problem | null): Promise<void> {
    if (!isNews(news)) return
    // A path that differs may be one that was built anew.
    const incarnation = datapath === null ? null : await status.incarnation(id)
    // A run may have read it meanwhile.
    if (news === lastNews) send(incarnation, datapath, problem)
  }

  async function readWhileAsked(signal: AbortSignal): Promise<void> {
    do {
      readAgain = false
      const datapath = await status.datapath(id, signal)
      failures = 0
      await tellIfNews(newsOf(datapath), datapath, null)
    } while (readAgain)
  }

  /** One reading at a time; whoever asks meanwhile gets one more. */
  function read(signal: AbortSignal): Promise<void> {
    readAgain = reading !== null
    reading ??= readWhileAsked(signal).finally(() => {
      reading = null
    })
    return reading
  }

  async function follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const testbed = await testbeds.get(id)
        const ticks = testbed.changes?.({ signal, emit: () => {} }) ?? everySecond(clock, signal)
        for await (const _ of ticks) await read(signal)
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        const problem = toLabError(error).toProblem()
        if (failures >= FAILURES_TOLD) await tellIfNews(JSON.stringify(problem), null, problem)
      }
      await pauseFor(clock, failures > FAILURES_OFTEN ? LIVE_AWAY_MS : LIVE_EVERY_MS, signal)
    }
  }

  function wake(): void {
    if (stopped || status.quiet(id)) return
    if (following === null) {
      const controller = new AbortController()
      const done = follow(controller.signal).finally(() => {
        following = null
        if (followAgain) wake()
      })
      followAgain = false
      following = { controller, done }
    } else if (following.controller.signal.aborted) followAgain = true
    // A failure is told by the reading that follows the next change, or by the next attempt.
    else read(following.controller.signal).catch(() => {})
  }

  function pause(): void {
    followAgain = false
    following?.controller.abort(new Error('not now'))
  }

  return {
    last: () => last,
    wake,
    wakeAndTell() {
      tellAnyway = true
      wake()
    },
    take(datapath, incarnation) {
      if (stopped) return
      failures = 0
      if (isNews(newsOf(datapath))) send(incarnation, datapath, null)
    },
    pause,
    async stop() {
      stopped = true
      pause()
      await following?.done
    },
  }
}
