/** The page's knowledge from the stream. */
import type { RunState } from '@expresslane/shared/run/run-state'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Problem } from '@expresslane/shared/base/errors'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import type { HandView } from '@expresslane/shared/wire/hand'
import type { Driver, TestbedHolder } from '@expresslane/shared/wire/protocol'
import type { FollowedPath } from './follow.ts'
import type { Connection, Message } from './stream.ts'
import type { SubjectLine } from './subjects.ts'

export interface LiveState {
  readonly connection: Connection
  /** When something last arrived on the stream, by the wall clock; kept up to date when `connection` changes. */
  readonly heardAt: number
  /** Runs that a page has opened, directly or with their session. */
  readonly runs: ReadonlyMap<string, RunState>
  readonly paths: ReadonlyMap<TestbedId, FollowedPath>
  /** The runs that use testbeds; the others are free. */
  readonly holders: ReadonlyMap<TestbedId, TestbedHolder>
  readonly incarnations: ReadonlyMap<TestbedId, string>
  /** By run, while it runs: the latest message about each node and pod. */
  readonly subjects: ReadonlyMap<string, readonly SubjectLine[]>
  /** Grows when a run of any session is queued, starts or ends. */
  readonly turns: number
  /** Grows when a new server process answers. */
  readonly boots: number
  /** Changes when a lab file is edited. */
  readonly labsRevision: number
  /** Null while nothing is presented. */
  readonly presentation: Presentation | null
  /** Changes when the instructor's board changed. */
  readonly roomRevision: number
  /** The latest line from the instructor; null before the first. */
  readonly message: Message | null
  /** Who drives each shared cluster; null before a workshop's server sends it. */
  readonly drivers: ReadonlyMap<TestbedId, Driver> | null
  /** The hands that are up: all for an instructor, a participant's own. */
  readonly hands: readonly HandView[]
  /** Why the server can't store anything now; null if it can. */
  readonly storeProblem: Problem | null
}

/** Before the first frame. */
export const nothingYet: LiveState = {
  connection: 'connecting',
  heardAt: 0,
  runs: new Map(),
  paths: new Map(),
  holders: new Map(),
  incarnations: new Map(),
  subjects: new Map(),
  turns: 0,
  boots: 0,
  labsRevision: 0,
  presentation: null,
  roomRevision: 0,
  message: null,
  drivers: null,
  hands: [],
  storeProblem: null,
}
