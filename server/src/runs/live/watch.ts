/** Watches one testbed's path: reads it when it may have changed, and emits changes. */
import { toLabError, type Problem } from '@expresslane/shared/base/errors'
import type { LiveFrame } from '@expresslane/shared/wire/stream'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import type { Clock } from '../clock.ts'
import type { LabTestbed } from '../perform/perform.ts'
import type { TestbedStatus } from './status.ts'
import type { Testbeds } from '../testbeds.ts'

export interface Watch {
  /** The last emitted frame. */
  last(): LiveFrame | null
  /** Reads now, emits the result even if unchanged, and keeps watching; does nothing if the testbed must not be disturbed. */
  wakeAndTell(): void
  /** Takes over a reading by a run, since the watch does not read during a measurement. */
  take(datapath: DatapathState, incarnation: string): void
  /** Resumes watching, unless the testbed must not be disturbed. */
  wake(): void
  /** Aborts the current reading and pauses until woken. */
  pause(): void
  stop(): Promise<void>
}

export interface WatchParts {
  readonly testbeds: Testbeds
  readonly status: TestbedStatus
  readonly clock: Clock
  emit(frame: LiveFrame): void
}

/** How often to read a testbed that does not report changes, if a reading is quick. */
export const LIVE_EVERY_MS = 1000
/** A reading that takes long, because it starts many processes or the machine is busy, is made less often. */
const LIVE_REST_PER_READING = 10
const LIVE_SELDOM_MS = 5000
/** A single failed reading can be a pod that restarts. */
const FAILURES_REPORTED = 2
/** An unavailable testbed is read less often. */
const FAILURES_OFTEN = 3
const LIVE_AWAY_MS = 5000

/** The parts of a reading that count as a change. Devices' counters change all the time and are left out. */
function newsOf({ settings, agents, kernel, unread, carried, hooks, placement }: DatapathState): string {
  const devices = kernel.map((device) => ({ ...device, counters: null }))
  return JSON.stringify([settings, agents, devices, unread, carried, hooks, placement])
}

/** Resolves after `ms`, or at once when aborted. The signal forgets it then: a page can stay open for days. */
function pauseFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      takeBack()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const takeBack = clock.after(ms, end)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}

/** Ticks, with a pause after each that grows with the time of the reading. */
async function* nowAndThen(clock: Clock, signal: AbortSignal): AsyncGenerator<void> {
  for (;;) {
    const begun = clock.now()
    yield
    const rest = LIVE_REST_PER_READING * (clock.now() - begun)
    await pauseFor(clock, Math.min(Math.max(rest, LIVE_EVERY_MS), LIVE_SELDOM_MS), signal)
    signal.throwIfAborted()
  }
}

function ticksOf({ changes }: LabTestbed, clock: Clock, signal: AbortSignal): AsyncIterable<void> {
  return changes?.({ signal, emit: () => {} }) ?? nowAndThen(clock, signal)
}

/** Logins that fail again and again can lock an account: only a person's own request connects to a host. */
function mayMake(id: TestbedId, testbeds: Testbeds): boolean {
  return !propertiesOf(id).isOwners || testbeds.made().includes(id)
}

export function watchTestbed(id: TestbedId, { testbeds, status, clock, emit }: WatchParts): Watch {
  let last: LiveFrame | null = null
  let lastNews = ''
  let failures = 0
  let emitAnyway = false
  let stopped = false
  let reading: Promise<void> | null = null
  let readAgain = false
  let following: { readonly controller: AbortController; readonly done: Promise<void> } | null = null
  let followAgain = false

  function isNews(news: string): boolean {
    if (news === lastNews && !emitAnyway) return false
    emitAnyway = false
    lastNews = news
    return true
  }

  function send(incarnation: string | null, datapath: DatapathState | null, problem: Problem | null): void {
    last = { type: 'live', testbed: id, incarnation: incarnation ?? last?.incarnation ?? null, datapath, problem }
    emit(last)
  }

  async function emitIfChanged(news: string, datapath: DatapathState | null, problem: Problem | null): Promise<void> {
    if (!isNews(news)) return
    // A different path can belong to a rebuilt testbed.
    const incarnation = datapath === null ? null : await status.incarnation(id)
    // A run can have read the path meanwhile.
    if (news === lastNews) send(incarnation, datapath, problem)
  }

  /** The testbed is at rest: watching does not start it, and its last reading no longer applies. */
  function tellRest(): void {
    if (!stopped && isNews('at rest')) void status.incarnation(id).then((incarnation) => send(incarnation, null, null))
  }

  async function readWhileAsked(signal: AbortSignal): Promise<void> {
    do {
      readAgain = false
      if ((await testbeds.get(id)).rest?.isNow() === true) {
        tellRest()
        return
      }
      const datapath = await status.datapath(id, signal)
      failures = 0
      // A closed testbed must not be asked again: that would make a new one.
      if (stopped) return
      await emitIfChanged(newsOf(datapath), datapath, null)
    } while (readAgain)
  }

  /** Reads the path, never twice at the same time: requests during a reading cause a further reading. */
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
        if (mayMake(id, testbeds)) {
          for await (const _ of ticksOf(await testbeds.get(id), clock, signal)) await read(signal)
        }
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        const problem = toLabError(error).toProblem()
        if (failures >= FAILURES_REPORTED) await emitIfChanged(JSON.stringify(problem), null, problem)
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
    // A failure shows in the next reading.
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
      emitAnyway = true
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
