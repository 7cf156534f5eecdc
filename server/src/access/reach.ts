/** What a principal finds: what it may not read is not there for it. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { RunId } from '@expresslane/shared/run/events'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Store } from '../store/open.ts'
import type { RunRow } from '../store/runs.ts'
import { mayRead, mayUse } from './policy.ts'
import type { Principal } from './principal.ts'

export interface Reach {
  /** @throws LabError `not_found` */
  session(of: Principal, id: string): Session
  /** Newest first. */
  sessions(of: Principal): Session[]
  /** @throws LabError `not_found` */
  run(of: Principal, id: string): RunRow
  /** @throws LabError `not_found` */
  requireTestbed(of: Principal, id: TestbedId): void
  /** Whether the events of a run are for this principal; made once for each socket, it remembers its answers. */
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
        'There is no such session.',
        'Open the lab from the start page to begin a new one.',
      )
    },
    sessions: (of) => sessions.all().filter((session) => mayRead(of, session)),
    run(of, id) {
      const row = findRun(of, id)
      if (row !== null) return row
      throw new LabError('not_found', 'There is no such run.', 'Look it up in the history.')
    },
    requireTestbed(of, id) {
      if (mayUse(of, id)) return
      throw new LabError('not_found', 'There is no such testbed.', 'Choose one of the start page.')
    },
    hears(of) {
      // An owner hears everything: a replay of thousands of runs looks nothing up.
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
