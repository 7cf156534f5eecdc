/** Packets per request in a session, for the latest arm and the arm before. Pure. */
import { medianOf } from '@expresslane/shared/measure/measurement'
import { runsSinceReset } from '@expresslane/shared/run/progress'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'

export interface PacketsBesidePath {
  readonly arm: string
  /** The median of the latest measurement; null if its counters could not be read. */
  readonly now: number | null
  /** The median of another arm in the same case, measured earlier in this session; null if there is none. */
  readonly before: number | null
}

interface Measured {
  arm: string
  caseId: string | null
  packets: number | null
}

/** The arms and cases of a run, in the order of their latest measurement. */
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

/** Null before the first measurement since the last reset. */
export function packetsView(runs: readonly RunState[]): PacketsBesidePath | null {
  const results = runsSinceReset(runs).flatMap(measured)
  const now = results.at(-1)
  if (now === undefined) return null
  const before = results.findLast(({ arm, caseId }) => arm !== now.arm && caseId === now.caseId)
  return { arm: now.arm, now: now.packets, before: before?.packets ?? null }
}
