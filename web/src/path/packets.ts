/** Packets a request, now and before, out of a walk's runs. Pure. */
import { medianPackets, type Arm } from '@expresslane/shared/measurement'
import { currentWalk } from '@expresslane/shared/progress'
import type { RunState } from '@expresslane/shared/run-state'

export interface PacketsView {
  readonly arm: Arm
  /** Median over the latest measuring run's repeats; null where its counters could not be read. */
  readonly now: number | null
  /** The other arm's, where it was measured earlier in this walk; null else. */
  readonly before: number | null
}

interface Measured {
  arm: Arm
  packets: number | null
}

function measured(run: RunState): Measured[] {
  const taken = run.repeats.flatMap(({ measurement }) => (measurement === null ? [] : [measurement]))
  const arm = taken[0]?.arm
  if (arm === undefined) return []
  return [{ arm, packets: medianPackets(taken) }]
}

/** Null while nothing was measured in the present walk. */
export function packetsView(runs: readonly RunState[]): PacketsView | null {
  const results = currentWalk(runs).flatMap(measured)
  const now = results.at(-1)
  if (now === undefined) return null
  const before = results.findLast(({ arm }) => arm !== now.arm)
  return { arm: now.arm, now: now.packets, before: before?.packets ?? null }
}
