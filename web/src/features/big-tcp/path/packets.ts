/** Packets per request, now and before, out of a walk's runs. Pure. */
import { medianOf } from '@expresslane/shared/measure/measurement'
import { currentWalk } from '@expresslane/shared/run/progress'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'

export interface PacketsBesidePath {
  readonly arm: string
  /** Median over the repeats of what was measured last; null where its counters could not be read. */
  readonly now: number | null
  /** Another arm's in the same case, where it was measured earlier in this walk; null else. */
  readonly before: number | null
}

interface Measured {
  arm: string
  caseId: string | null
  packets: number | null
}

/** A run's arms and cases, each where it was measured last. */
function measured(run: RunState): Measured[] {
  const taken = measurementsOf(run).filter(({ values }) => 'packetsPerRequest' in values)
  const last = taken.filter(
    (one, index) => !taken.slice(index + 1).some(({ arm, caseId }) => arm === one.arm && caseId === one.caseId),
  )
  return last.map(({ arm, caseId }) => ({
    arm,
    caseId,
    packets: medianOf(
      taken.filter((one) => one.arm === arm && one.caseId === caseId),
      'packetsPerRequest',
    ),
  }))
}

/** Null while nothing was measured in the present walk. */
export function packetsView(runs: readonly RunState[]): PacketsBesidePath | null {
  const results = currentWalk(runs).flatMap(measured)
  const now = results.at(-1)
  if (now === undefined) return null
  const before = results.findLast(({ arm, caseId }) => arm !== now.arm && caseId === now.caseId)
  return { arm: now.arm, now: now.packets, before: before?.packets ?? null }
}
