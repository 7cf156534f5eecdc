/** Recordings of the versions 1 to 4, which were one JSON value: each becomes lines of the current version. Pure. */
import { isObject } from './upgrade/raw.ts'
import { upgradeEvent } from './upgrade.ts'
import { RECORDING_VERSION } from './recording.ts'

/** The last version whose file is one JSON value. */
const LAST = 4

export interface EarlierLine {
  readonly value: unknown
  /** Where the value was: `runs[3].events[0]`, or nothing for the head. */
  readonly path: string
}

/** Whether a parsed file is a recording of an earlier version, right or wrong. */
export function isEarlier(file: unknown): file is Record<string, unknown> {
  return isObject(file) && typeof file['version'] === 'number' && file['version'] <= LAST && 'runs' in file
}

function listOf(found: unknown): unknown[] {
  return Array.isArray(found) ? found : [found]
}

/** Values of another shape stay as they are: the check of the lines reports them. */
export function* linesOfEarlier({ runs, ...head }: Record<string, unknown>): Generator<EarlierLine> {
  yield { value: { ...head, version: RECORDING_VERSION }, path: '' }
  for (const [place, found] of listOf(runs).entries()) {
    const path = `runs[${place}]`
    const { events = [], ...run } = isObject(found) ? found : {}
    yield { value: { run: isObject(found) ? run : found }, path }
    for (const [index, event] of listOf(events).entries()) {
      const value: unknown =
        isObject(event) && 'event' in event ? { ...event, event: upgradeEvent(event['event']) } : event
      yield { value, path: `${path}.events[${index}]` }
    }
  }
}
