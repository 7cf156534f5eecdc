/** The path of each testbed, and which incarnation it is. Pure. */
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { followPath, type PathReading } from './follow.ts'
import type { LiveState } from './live-state.ts'

type TestbedStates = Pick<LiveState, 'paths' | 'incarnations'>

export function withIncarnation<T extends TestbedStates>(was: T, id: TestbedId, incarnation: string): T {
  return { ...was, incarnations: new Map(was.incarnations).set(id, incarnation) }
}

export function withReading<T extends TestbedStates>(was: T, id: TestbedId, reading: PathReading): T {
  const paths = new Map(was.paths).set(id, followPath(was.paths.get(id) ?? null, reading))
  const { incarnation } = reading
  return { ...(incarnation === null ? was : withIncarnation(was, id, incarnation)), paths }
}

/** Forgets a testbed's path and incarnation. */
export function withoutPath<T extends TestbedStates>(was: T, id: TestbedId): T {
  const [paths, incarnations] = [new Map(was.paths), new Map(was.incarnations)]
  paths.delete(id)
  incarnations.delete(id)
  return { ...was, paths, incarnations }
}
