/** Follows a testbed's path over time, so that the page can mark the latest change. */
import type { Problem } from '@expresslane/shared/base/errors'
import { deviceKey, groLimit, gsoLimit, type DatapathState } from '@expresslane/shared/testbed/reading'
import { family } from '@expresslane/shared/base/units'

export interface PathReading {
  /** Null while the testbed does not report its incarnation. */
  readonly incarnation: string | null
  /** Null when the testbed can't be read; `problem` says why. */
  readonly datapath: DatapathState | null
  readonly problem: Problem | null
}

export interface FollowedPath extends PathReading {
  /** The path before the latest change of a size; null before the first change. */
  readonly before: DatapathState | null
  /** When that change was read; null before the first change. */
  readonly changedAt: number | null
  /** The devices of `datapath`, plus the last reading of places that can't be read now. */
  readonly remembered: DatapathState['kernel']
  /** Since when at least one place can't be read; null while all can. */
  readonly partlySince: number | null
}

/** Readings this close together belong to one change: a switch changes one device after the other. */
const ONE_CHANGE_MS = 4000

function sizesOf(kernel: DatapathState['kernel']): string {
  const rows = kernel.map((device) => {
    const limits = family.options.map((of) => `${gsoLimit(device, of)}/${groLimit(device, of)}`)
    return `${deviceKey(device)} ${limits.join(' ')}`
  })
  return rows.toSorted().join('\n')
}

function remember({ kernel, unread }: DatapathState, was: DatapathState['kernel']): DatapathState['kernel'] {
  const here = new Set(kernel.map(deviceKey))
  const silent = new Set(unread.map(({ where }) => where))
  return [...kernel, ...was.filter((device) => silent.has(device.where) && !here.has(deviceKey(device)))]
}

/** The path after one more reading. A rebuilt testbed starts without a history. */
export function followPath(was: FollowedPath | null, reading: PathReading): FollowedPath {
  const { datapath } = reading
  const another = reading.incarnation !== null && reading.incarnation !== was?.incarnation
  if (was === null || another) {
    const kernel = datapath?.kernel ?? []
    return { ...reading, before: null, changedAt: null, remembered: kernel, partlySince: partly(datapath, null) }
  }
  // A failed reading is not a change: compare the next reading with the last good one.
  if (datapath === null) return { ...was, problem: reading.problem }
  const remembered = remember(datapath, was.remembered)
  const now = { ...reading, remembered, partlySince: partly(datapath, was.partlySince) }
  const { before, changedAt } = was
  if (was.datapath === null || sizesOf(was.remembered) === sizesOf(remembered)) return { ...now, before, changedAt }
  // Agents that restart answer one after the other: their changes during that time count as one change.
  const began = Math.min(datapath.at - ONE_CHANGE_MS, was.partlySince ?? Number.POSITIVE_INFINITY)
  const continues = changedAt !== null && changedAt > began
  return {
    ...now,
    before: continues ? before : { ...was.datapath, kernel: [...was.remembered] },
    changedAt: datapath.at,
  }
}

function partly(datapath: DatapathState | null, since: number | null): number | null {
  if (datapath === null || datapath.unread.length === 0) return null
  return since ?? datapath.at
}
