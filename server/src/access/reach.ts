/** Looks up sessions, runs and testbeds for a principal. An object that the principal may not read is not found. */
import { LabError } from '@expresslane/shared/base/errors'
import type { RunId } from '@expresslane/shared/run/events'
import type { Session, TestbedHolder, TestbedView } from '@expresslane/shared/wire/protocol'
import type { HoldersFrame } from '@expresslane/shared/wire/stream'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Store } from '../store/open.ts'
import type { RunRow } from '../store/runs.ts'
import { followsPath, mayDrive, mayRead, mayUse, mayWatch, ownTestbed, type Presented } from './policy.ts'
import type { Principal } from './principal.ts'

export interface Reach {
  /** A session to read: an own session, or the presented session. @throws LabError `not_found` */
  session(of: Principal, id: string): Session
  /** A session to change: an own session. @throws LabError `not_found`; `not_allowed` for a session that it may only read */
  ownSession(of: Principal, id: string): Session
  /** The sessions that a principal may change, newest first. */
  sessions(of: Principal): Session[]
  /** A run to read: of a session to read, or the second opinion on such a run. @throws LabError `not_found` */
  run(of: Principal, id: string): RunRow
  /** A run to cancel. @throws LabError `not_found`; `not_allowed` for a run that it may only read */
  ownRun(of: Principal, id: string): RunRow
  /** People who run labs read any lab, viewers the presented lab. */
  readsLab(of: Principal, labId: string): boolean
  /** The testbeds of this server as a principal sees them. */
  testbeds(of: Principal, offered: readonly TestbedId[]): TestbedId[]
  /**
   * A testbed to begin sessions on. For a participant this machine is their own part of it.
   *
   * @returns the id of the testbed that is meant
   * @throws LabError `not_found`
   */
  testbedToUse(of: Principal, id: TestbedId): TestbedId
  /** The same for a testbed to read: also the presented testbed. @throws LabError `not_found` */
  testbedToRead(of: Principal, id: TestbedId): TestbedId
  /** A testbed's run as a principal may see it: without its ids if it is somebody else's. */
  busy(of: Principal, busy: TestbedView['busy']): TestbedView['busy']
  /** True if a principal may watch a testbed now. */
  watches(of: Principal, id: TestbedId): boolean
  /** The runs that use testbeds which a principal may watch. */
  holders(of: Principal): HoldersFrame['holders']
  /** Whether a principal may read the events of a run now. */
  hears(of: Principal, id: RunId): boolean
  /** Whether a principal's pages follow a testbed's path now. */
  follows(of: Principal, id: TestbedId): boolean
}

function noSession(): LabError {
  return new LabError(
    'not_found',
    'This session does not exist.',
    'Open the lab from the start page to begin a new session.',
  )
}

function noRun(): LabError {
  return new LabError('not_found', 'This run does not exist.', 'Find the run in the history.')
}

function noTestbed(): LabError {
  return new LabError('not_found', 'This testbed does not exist.', 'Choose a testbed on the start page.')
}

function requireDrive(of: Principal, session: Session): void {
  if (mayDrive(of, session)) return
  throw new LabError(
    'not_allowed',
    'You are following this session. Only the presenter can change it.',
    'Open the lab from the start page to run it on your own testbed.',
  )
}

/** The sessions of a run never change. This many are kept, so that a stream looks each run up once. */
const RUNS_KEPT = 10_000

/** The sessions that a run belongs to. */
function sessionsOfRuns({ sessions, runs }: Pick<Store, 'sessions' | 'runs'>) {
  const known = new Map<RunId, readonly Pick<Session, 'id' | 'owner'>[]>()

  /** Its own; a second opinion belongs to that of its experiment, too: who reads one reads both. */
  function around({ sessionId, params }: RunRow): Session[] {
    const about = params.opinionOf === undefined ? null : runs.find(params.opinionOf)
    const ids = about === null ? [sessionId] : [sessionId, about.sessionId]
    return ids.flatMap((one) => sessions.find(one) ?? [])
  }

  return {
    around,
    /** The same by the run's id. Reads the rows only the first time; empty for an unknown run. */
    of(id: RunId): readonly Pick<Session, 'id' | 'owner'>[] {
      const found = known.get(id)
      if (found !== undefined) return found
      const row = runs.find(id)
      if (row === null) return []
      if (known.size >= RUNS_KEPT) known.clear()
      const kept = around(row).map((one) => ({ id: one.id, owner: one.owner }))
      known.set(id, kept)
      return kept
    },
  }
}

/** @param running the runs that run now @param presented returns the presented session */
export function createReach(
  store: Pick<Store, 'sessions' | 'runs'>,
  running: { all(): readonly Pick<RunRow, 'id' | 'sessionId' | 'stepId' | 'testbed'>[] },
  presented: () => Presented | null,
): Reach {
  const { sessions, runs } = store
  const sessionsOf = sessionsOfRuns(store)

  function findSession(of: Principal, id: string): Session {
    const session = sessions.find(id)
    if (session !== null && mayRead(of, session, presented())) return session
    throw noSession()
  }

  function findRun(of: Principal, id: string): RunRow {
    const row = runs.find(id)
    const shown = presented()
    if (row !== null && sessionsOf.around(row).some((session) => mayRead(of, session, shown))) return row
    throw noRun()
  }

  function hears(of: Principal, id: RunId): boolean {
    // An instructor reads everything, so a replay of thousands of runs needs no lookups.
    if (of.role === 'instructor') return true
    const shown = presented()
    return sessionsOf.of(id).some((session) => mayRead(of, session, shown))
  }

  function asSeenBy(of: Principal, holder: TestbedHolder): TestbedHolder {
    if (holder.runId === null || hears(of, holder.runId)) return holder
    return { ...holder, runId: null, sessionId: null }
  }

  return {
    session: findSession,
    ownSession(of, id) {
      const session = findSession(of, id)
      requireDrive(of, session)
      return session
    },
    sessions: (of) => sessions.all().filter((session) => mayDrive(of, session)),
    run: findRun,
    ownRun(of, id) {
      const row = findRun(of, id)
      const session = sessions.find(row.sessionId)
      if (session === null) throw noRun()
      requireDrive(of, session)
      return row
    },
    readsLab: ({ role }, labId) => role !== 'viewer' || labId === presented()?.labId,
    testbeds(of, offered) {
      const shown = presented()
      if (of.role === 'viewer') return shown === null ? [] : [shown.testbed]
      return offered.map((id) => ownTestbed(of, id)).filter((id) => mayUse(of, id))
    },
    testbedToUse(of, asked) {
      const id = ownTestbed(of, asked)
      if (mayUse(of, id)) return id
      throw noTestbed()
    },
    testbedToRead(of, asked) {
      const id = mayWatch(of, asked, presented()) ? asked : ownTestbed(of, asked)
      if (mayWatch(of, id, presented())) return id
      throw noTestbed()
    },
    hears,
    watches: (of, id) => mayWatch(of, id, presented()),
    busy: (of, busy) => (busy === null ? null : asSeenBy(of, busy)),
    holders(of) {
      const shown = presented()
      return running
        .all()
        .filter(({ testbed }) => mayWatch(of, testbed, shown))
        .map(({ testbed, id, sessionId, stepId }) => ({
          testbed,
          holder: asSeenBy(of, { runId: id, sessionId, stepId }),
        }))
    },
    follows: (of, id) => followsPath(of, id, presented()),
  }
}
