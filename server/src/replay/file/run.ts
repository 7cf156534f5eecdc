/** Checks one run of a recording, event by event. */
import { MOST_RUNS } from '@expresslane/shared/measure/experiment'
import {
  orderOfRun,
  RECORDED_EVENTS,
  recordedEvent,
  recordedRun,
  recordedRunHead,
  type RecordedEvent,
} from '@expresslane/shared/recordings/recording'
import { z } from 'zod'
import { isArrayAt, isObjectAt, itemsOf, parseValue, type Extent, type Item, type Measured } from './extents.ts'
import { upgradeRecorded } from './events.ts'
import type { Faults } from './faults.ts'
import type { Path } from './locate.ts'
import { parseMembers, readMembers, type Members } from './members.ts'
import type { OutlinedRun, Place } from './outline.ts'

/** The largest comparison of the largest plan has about 2 MB, 3,000 objects and 100,000 numbers. */
const EVENT_BYTES = 4 * 1024 * 1024
const EVENT_CONTAINERS = 20_000
const EVENT_COMMAS = 400_000
const EVENT_DEPTH = 32

/** What is kept of an event's kind for the whole run: no plan and no preflight has more. */
const most: Partial<Record<RecordedEvent['event']['type'], number>> = {
  'repeat.started': MOST_RUNS,
  'preflight.checked': 200,
}

/** The events that are read at once while a recording plays have at most this many bytes, if they are more than one. */
const PIECE_BYTES = 64 * 1024

const runHead = recordedRunHead.extend({ events: z.array(z.unknown()) })

export interface CheckedRun {
  readonly run: OutlinedRun
  readonly reading: Place | null
  readonly checks: Place[]
}

/** Events that follow each other, in pieces. */
function createPieces(): { add(extent: Extent): void; end(): Place[] } {
  const pieces: Place[] = []
  let open: Place | null = null
  return {
    add({ start, end }) {
      if (open !== null && end - open[0] <= PIECE_BYTES) {
        open[1] = end
        return
      }
      open = [start, end]
      pieces.push(open)
    },
    end: () => pieces,
  }
}

/** What is too much in an event, before it is built; null if nothing is. */
function excessOf({ start, end, containers, commas, depth }: Measured): string | null {
  if (end - start > EVENT_BYTES) return `an event larger than ${EVENT_BYTES / 1024 / 1024} MB`
  if (containers > EVENT_CONTAINERS) return `more than ${EVENT_CONTAINERS} objects and lists in one event`
  if (commas > EVENT_COMMAS) return `more than ${EVENT_COMMAS} values in one event`
  return depth > EVENT_DEPTH ? `nested more than ${EVENT_DEPTH} levels deep` : null
}

/** Reads one event. @returns null if something is wrong with it */
function readEvent(bytes: Uint8Array, item: Item, path: Path, version: number, faults: Faults): RecordedEvent | null {
  const excess = excessOf(item)
  if (excess !== null) {
    faults.add(item, path, excess)
    return null
  }
  const read = recordedEvent.safeParse(upgradeRecorded(version, parseValue(bytes, item)))
  if (read.success) return read.data
  faults.addIssues(item, path, read.error)
  return null
}

/** @throws LabError `recording_invalid` with the fifth fault; SyntaxError */
export function checkRun(bytes: Uint8Array, extent: Extent, path: Path, version: number, faults: Faults): CheckedRun {
  const isObject = isObjectAt(bytes, extent.start)
  const members: Members = isObject ? readMembers(bytes, extent, path, faults) : new Map()
  const values = isObject ? parseMembers(bytes, members, 'events', path, faults) : null
  const head = runHead.safeParse(values)
  if (!head.success) faults.addMemberIssues(extent, members, path, head.error)
  const { stepId, startedAt } = head.data ?? { stepId: '', startedAt: 0 }
  const misplaced = orderOfRun(stepId)
  /** Beside an event that can't be read, the order of the others says nothing. */
  let orderly = head.success
  const pieces = createPieces()
  const counts = new Map<string, number>()
  const checks: Place[] = []
  let [count, lastsMs] = [0, 0]
  let reading: Place | null = null

  const list = members.get('events')
  if (list !== undefined && isArrayAt(bytes, list.start)) {
    for (const item of itemsOf(bytes, list.start)) {
      const here = [...path, 'events', count]
      if (count === RECORDED_EVENTS) {
        faults.add(item, here, `more than ${RECORDED_EVENTS} events in a run`)
        break
      }
      count += 1
      pieces.add(item)
      const recorded = readEvent(bytes, item, here, version, faults)
      if (recorded === null) {
        orderly = false
        continue
      }
      for (const { path: inside, message } of orderly ? misplaced(recorded, item.isLast) : []) {
        faults.add(item, here, message, inside)
      }
      const { type } = recorded.event
      lastsMs = recorded.at
      if (type === 'datapath.read') reading ??= [item.start, item.end]
      if (type === 'preflight.checked') checks.push([item.start, item.end])
      const alike = (counts.get(type) ?? 0) + 1
      counts.set(type, alike)
      if (alike > (most[type] ?? RECORDED_EVENTS)) faults.add(item, here, `more than ${most[type]} of ${type} in a run`)
    }
    if (count < 2) faults.add(list, [...path, 'events'], 'a run has at least its beginning and its end')
  }
  const run = { stepId, startedAt: recordedRun.shape.startedAt.parse(startedAt), lastsMs, pieces: pieces.end() }
  return { run, reading, checks }
}
