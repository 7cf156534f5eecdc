/** Checks one run of a recording, event by event. */
import { MOST_RUNS } from '../../measure/experiment.ts'
import {
  ENDS_ONCE,
  orderOfRun,
  RECORDED_EVENTS,
  recordedEvent,
  type RecordedEvent,
  type recordedRunHead,
} from '../recording.ts'
import type { z } from 'zod'
import type { Faults } from './faults.ts'
import type { Line } from './lines.ts'
import type { OutlinedRun, ByteRange } from './outline.ts'

const EVENT_CONTAINERS = 20_000
const EVENT_VALUES = 400_000
const EVENT_DEPTH = 32

/** The most events of a kind that a whole run keeps: no plan and no preflight has more. */
const most: Partial<Record<RecordedEvent['event']['type'], number>> = {
  'repeat.started': MOST_RUNS,
  'preflight.checked': 200,
}

/** The events that are read at once while a recording plays have at most this many bytes, if they are more than one. */
const PIECE_BYTES = 16 * 1024

export interface CheckedRun {
  readonly run: OutlinedRun
  readonly reading: ByteRange | null
  readonly checks: ByteRange[]
}

export interface OpenRun {
  /** Takes the run's next event. @returns it; null if it can't be read. @throws LabError `recording_invalid` with the fifth fault of the file */
  take(line: Line, value: unknown): RecordedEvent | null
  end(): CheckedRun
}

/** Adds a line to the last piece, or to a new one when that is full. */
function addTo(pieces: ByteRange[], { start, end }: Line): void {
  const last = pieces.at(-1)
  if (last !== undefined && end - last[0] <= PIECE_BYTES) last[1] = end
  else pieces.push([start, end])
}

/** The excess of a value, before a schema looks at it; null without one. */
function excessOf(value: unknown): string | null {
  const open: [value: unknown, depth: number][] = [[value, 1]]
  let [containers, values] = [0, 0]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [found, depth] = next
    values += 1
    if (values > EVENT_VALUES) return `more than ${EVENT_VALUES} values in one event`
    if (typeof found !== 'object' || found === null) continue
    containers += 1
    if (containers > EVENT_CONTAINERS) return `more than ${EVENT_CONTAINERS} objects and lists in one event`
    if (depth > EVENT_DEPTH) return `nested more than ${EVENT_DEPTH} levels deep`
    for (const inside of Object.values(found)) open.push([inside, depth + 1])
  }
  return null
}

/** @param begun the line that begins the run */
export function beginRun(head: z.infer<typeof recordedRunHead>, begun: Line, faults: Faults): OpenRun {
  const order = orderOfRun(head.stepId)
  const pieces: ByteRange[] = []
  const counts = new Map<string, number>()
  const checks: ByteRange[] = []
  /** Beside an event that can't be read, the order of the others says nothing. */
  let orderly = true
  let [count, lastsMs] = [0, 0]
  let reading: ByteRange | null = null
  let last = begun

  return {
    take(line, value) {
      last = line
      count += 1
      if (count > RECORDED_EVENTS) {
        faults.add(line, [], `more than ${RECORDED_EVENTS} events in a run`)
        faults.end()
      }
      const excess = excessOf(value)
      const read = excess === null ? recordedEvent.safeParse(value) : null
      if (excess !== null) faults.add(line, [], excess)
      if (read?.success === false) faults.addIssues(line, read.error)
      if (read?.data === undefined) {
        orderly = false
        return null
      }
      addTo(pieces, line)
      if (orderly) for (const { path, message } of order.next(read.data)) faults.add(line, path, message)
      const { type } = read.data.event
      lastsMs = read.data.at
      if (type === 'datapath.read') reading ??= [line.start, line.end]
      if (type === 'preflight.checked') checks.push([line.start, line.end])
      const alike = (counts.get(type) ?? 0) + 1
      counts.set(type, alike)
      if (alike > (most[type] ?? RECORDED_EVENTS)) faults.add(line, [], `more than ${most[type]} of ${type} in a run`)
      return read.data
    },
    end() {
      if (orderly && !order.hasEnded()) faults.add(last, [], ENDS_ONCE)
      return { run: { ...head, lastsMs, pieces }, reading, checks }
    },
  }
}
