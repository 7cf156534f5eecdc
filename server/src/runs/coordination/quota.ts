/**
 * How many runs a guest may have in the history, how many bytes of events, and how long a run of theirs lasts: one person must not
 * fill the disk, nor keep the machine.
 */
import { formatStorage } from '@expresslane/shared/measure/storage'
import { formatCount } from '@expresslane/shared/base/units'
import type { RunEvent, RunId } from '@expresslane/shared/run/events'
import { LabError } from '@expresslane/shared/base/errors'
import type { Store } from '../../store/open.ts'
import { letOthers } from '../../workers/turns.ts'
import type { Clock } from '../clock.ts'
import type { RunLog } from '../log/run-log.ts'

/** Events whose size is read in one piece. */
const WEIGHED_AT_ONCE = 5000

/**
 * The seconds that a run plans are limited before it starts (`plan.ts`). What comes on top is not planned: an arm of 5,000 services
 * takes minutes to set, each time. No lab takes as long as this.
 */
const LASTS_MS = 30 * 60_000

export interface Quota {
  /** Counts the ended runs of a guest that were not counted yet. Call it before {@link Quota.require}. */
  count(person: string): Promise<void>
  /** @param runs how many are to be added @throws LabError `quota_reached` */
  require(person: string, runs: number): void
  /**
   * Counts the bytes that a guest's run stores while it goes on, and how long it lasts.
   *
   * @param reached called when it is too much, or too long
   * @returns ends the counting
   */
  follow(run: RunId, person: string, reached: (why: LabError) => void): () => void
}

interface Parts {
  readonly store: Pick<Store, 'runs' | 'events'>
  readonly log: Pick<RunLog, 'settled' | 'subscribe'>
  readonly isGuest: (person: string) => boolean
  readonly clock: Pick<Clock, 'after'>
  /** The most runs. */
  readonly runs: number
  /** The most bytes of events. */
  readonly bytes: number
}

interface Followed {
  readonly person: string
  readonly reached: (why: LabError) => void
  bytes: number
}

function lastsTooLong(): LabError {
  return new LabError(
    'run_too_long',
    `This run lasted longer than ${LASTS_MS / 60_000} minutes, and others wait for the machine.`,
    'Choose fewer arms or repeats, or ask the instructor to run it.',
  )
}

/** Events that a stopped run does not store any more. Its steps, its restored path and its end are stored. */
export function isBulk({ type }: RunEvent): boolean {
  return type === 'command.output' || type === 'sample.taken'
}

export function createQuota({ store, log, isGuest, clock, runs, bytes }: Parts): Quota {
  /** The bytes of the runs that have ended, by person. */
  const ended = new Map<string, number>()
  const followed = new Map<RunId, Followed>()

  function reachedBy(person: string, usedRuns: number, usedBytes: number): LabError {
    return new LabError(
      'quota_reached',
      `Your runs fill your part of this server’s history: ${formatCount(usedRuns)} of ${formatCount(runs)} runs, ${formatStorage(usedBytes)} of ${formatStorage(bytes)}.`,
      'Save the reports that you need, and ask the instructor for more room.',
      { detail: `person ${person}; EXPRESSLANE_GUEST_RUNS=${runs}, EXPRESSLANE_GUEST_MB=${bytes / 1e6}` },
    )
  }

  function bytesOf(person: string): number {
    const now = [...followed.values()].filter((one) => one.person === person)
    return now.reduce((sum, one) => sum + one.bytes, ended.get(person) ?? 0)
  }

  async function sizeOf(id: RunId): Promise<number> {
    let sum = 0
    for (let after = 0; ;) {
      const found = store.events.weigh(id, null, after, WEIGHED_AT_ONCE)
      if (found === null) return sum
      sum += found.bytes
      after = found.last
      await letOthers()
    }
  }

  log.subscribe(({ runId, event }) => {
    const one = followed.get(runId)
    if (one === undefined) return
    one.bytes += Buffer.byteLength(JSON.stringify(event))
    const used = bytesOf(one.person)
    if (used > bytes) one.reached(reachedBy(one.person, store.runs.countOf(one.person), used))
  })

  return {
    async count(person) {
      if (!isGuest(person)) return
      for (const id of store.runs.uncounted(person)) {
        const size = await sizeOf(id)
        await log.settled()
        store.runs.keepSize(id, size)
      }
      ended.set(person, store.runs.bytesOf(person))
    },
    require(person, more) {
      if (!isGuest(person)) return
      const [usedRuns, usedBytes] = [store.runs.countOf(person), bytesOf(person)]
      if (usedRuns + more > runs || usedBytes >= bytes) throw reachedBy(person, usedRuns, usedBytes)
    },
    follow(run, person, reached) {
      if (!isGuest(person)) return () => {}
      const one = { person, reached, bytes: 0 }
      followed.set(run, one)
      const stopLooking = clock.after(LASTS_MS, () => reached(lastsTooLong()))
      return () => {
        stopLooking()
        if (followed.delete(run)) ended.set(person, (ended.get(person) ?? 0) + one.bytes)
      }
    },
  }
}
