/** Follows a testbed's path over time, so that the page can mark what changed last. */
import type { Problem } from '@expresslane/shared/errors'
import { deviceKey, groLimit, gsoLimit, type DatapathState } from '@expresslane/shared/reading'
import { family } from '@expresslane/shared/units'

export interface PathReading {
  /** Null while the testbed does not even tell which one it is. */
  readonly incarnation: string | null
  /** Null when the testbed can't be read; `problem` says why. */
  readonly datapath: DatapathState | null
  readonly problem: Problem | null
}

export interface FollowedPath extends PathReading {
  /** The path before the latest change of a size; null until one was seen. */
  readonly before: DatapathState | null
  /** When that change was read; null until one was seen. */
  readonly changedAt: number | null
}

/** Readings this close together belong to one change: a switch touches one device after the other. */
const ONE_CHANGE_MS = 4000

function sizesOf(datapath: DatapathState): string {
  const rows = datapath.kernel.map((device) => {
    const limits = family.options.map((of) => `${gsoLimit(device, of)}/${groLimit(device, of)}`)
    return `${deviceKey(device)} ${limits.join(' ')}`
  })
  return rows.join('\n')
}

/** The path after one more reading. A testbed that was built anew begins without a past. */
export function followPath(was: FollowedPath | null, reading: PathReading): FollowedPath {
  const another = reading.incarnation !== null && reading.incarnation !== was?.incarnation
  if (was === null || another) return { ...reading, before: null, changedAt: null }
  // An unreadable moment is no change: hold the next reading against the last one that was read.
  if (reading.datapath === null) return { ...was, problem: reading.problem }
  const { before, changedAt } = was
  if (was.datapath === null || sizesOf(was.datapath) === sizesOf(reading.datapath)) {
    return { ...reading, before, changedAt }
  }
  const continues = changedAt !== null && reading.datapath.at - changedAt < ONE_CHANGE_MS
  return { ...reading, before: continues ? before : was.datapath, changedAt: reading.datapath.at }
}
