/** What the page knows of each testbed: who holds it, its path, and which incarnation it is. Pure. */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { followPath, type PathReading } from './follow.ts'
import type { LiveState, TestbedHolder } from './live-state.ts'

export type TestbedStates = Pick<LiveState, 'holders' | 'paths' | 'incarnations'>

export function withHolder<T extends TestbedStates>(was: T, id: TestbedId, holder: TestbedHolder | null): T {
  return { ...was, holders: new Map(was.holders).set(id, holder) }
}

export function withIncarnation<T extends TestbedStates>(was: T, id: TestbedId, incarnation: string): T {
  return { ...was, incarnations: new Map(was.incarnations).set(id, incarnation) }
}

export function withReading<T extends TestbedStates>(was: T, id: TestbedId, reading: PathReading): T {
  const paths = new Map(was.paths).set(id, followPath(was.paths.get(id) ?? null, reading))
  const { incarnation } = reading
  return { ...(incarnation === null ? was : withIncarnation(was, id, incarnation)), paths }
}

/** With what a run's start or end says about its testbed. */
export function withRunEvent<T extends TestbedStates>(was: T, { runId, event }: LoggedEvent): T {
  if (event.type === 'run.started') {
    const { testbed, sessionId, stepId, incarnation } = event
    return withIncarnation(withHolder(was, testbed, { runId, sessionId, stepId }), testbed, incarnation)
  }
  if (event.type !== 'run.ended') return was
  const held = [...was.holders].find(([, holder]) => holder?.runId === runId)
  return held === undefined ? was : withHolder(was, held[0], null)
}

/** Forgets a testbed's path and incarnation. */
export function withoutPath<T extends TestbedStates>(was: T, id: TestbedId): T {
  const [paths, incarnations] = [new Map(was.paths), new Map(was.incarnations)]
  paths.delete(id)
  incarnations.delete(id)
  return { ...was, paths, incarnations }
}
