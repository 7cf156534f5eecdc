/** Looks up sessions, runs and testbeds for a principal. What it may not read does not exist for it. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { RunId } from '@expresslane/shared/run/events'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Store } from '../store/open.ts'
import type { RunRow } from '../store/runs.ts'
import { mayRead, mayUse, ownTestbed } from './policy.ts'
import type { Principal } from './principal.ts'

export interface Reach {
  /** @throws LabError `not_found` */
  session(of: Principal, id: string): Session
  /** Newest first. */
  sessions(of: Principal): Session[]
  /** @throws LabError `not_found` */
  run(of: Principal, id: string): RunRow
  /**
   * The testbed that a principal means by an id: a participant's `netns` is their own.
   *
   * @throws LabError `not_found`
   */
  testbed(of: Principal, id: TestbedId): TestbedId
  /** Returns a filter for the events of runs that a principal may read. It caches its answers; make one per socket. */
  hears(of: Principal): (id: RunId) => boolean
}

export function createReach({ sessions, runs }: Pick<Store, 'sessions' | 'runs'>): Reach {
  function readable(of: Principal, id: string): Session | null {
    const session = sessions.find(id)
    return session !== null && mayRead(of, session) ? session : null
  }

  function findRun(of: Principal, id: string): RunRow | null {
    const row = runs.find(id)
    return row !== null && readable(of, row.sessionId) !== null ? row : null
  }

  return {
    session(of, id) {
      const session = readable(of, id)
      if (session !== null) return session
      throw new LabError(
        'not_found',
        'This session does not exist.',
        'Open the lab from the start page to begin a new session.',
      )
    },
    sessions: (of) => sessions.all().filter((session) => mayRead(of, session)),
    run(of, id) {
      const row = findRun(of, id)
      if (row !== null) return row
      throw new LabError('not_found', 'This run does not exist.', 'Find the run in the history.')
    },
    testbed(of, asked) {
      const id = ownTestbed(of, asked)
      if (mayUse(of, id)) return id
      throw new LabError('not_found', 'This testbed does not exist.', 'Choose a testbed on the start page.')
    },
    hears(of) {
      // The owner reads everything, so a replay of thousands of runs needs no lookups.
      if (of.role === 'owner') return () => true
      const known = new Map<RunId, boolean>()
      return (id) => {
        const heard = known.get(id) ?? findRun(of, id) !== null
        known.set(id, heard)
        return heard
      }
    },
  }
}
