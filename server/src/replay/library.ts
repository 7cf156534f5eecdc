/** The recordings that this server can play: shipped and imported recordings. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import { readRecording, type ReadFile } from '@expresslane/shared/recordings/file/check'
import type { RecordedFile } from '@expresslane/shared/recordings/file/events'
import { outline, viewOf, type Outline } from '@expresslane/shared/recordings/file/outline'
import { pictureOf } from '@expresslane/shared/compare/picture'
import { recordedEvent, type RecordingView } from '@expresslane/shared/recordings/recording'
import type { RunEvent } from '@expresslane/shared/run/events'
import type { EpochMs } from '@expresslane/shared/base/units'
import { kept } from '../store/kept.ts'
import type { Recordings } from '../store/recordings.ts'
import type { Checks } from './check-apart.ts'

export interface Library {
  /** The shipped recordings, then the imported recordings, newest first. */
  list(): RecordingView[]
  /** @throws LabError `not_found`, `recording_invalid` */
  open(id: string): Promise<RecordedFile>
  /** Importing a file again does not duplicate it. @throws LabError `recording_invalid` */
  add(bytes: Uint8Array, at: EpochMs): Promise<RecordingView>
  /** @throws LabError `not_found`; `recording_shipped` for a shipped recording */
  remove(id: string): void
  /** Ends imports that are being checked. */
  close(): void
}

interface Shipped {
  readonly view: RecordingView
  readonly file: RecordedFile
  close(): void
}

const SUFFIX = '.jsonl'

/** The picture of the latest run that compares. Of its events only two are read. */
export function pictureIn({ bytes, outline: of }: ReadFile): RecordingView['picture'] {
  for (const { pieces } of of.runs.toReversed()) {
    const lines = pieces.flatMap(([from, to]) => Buffer.from(bytes.subarray(from, to)).toString().split('\n'))
    const last = (type: RunEvent['type']): RunEvent | null => {
      const line = lines.findLast((one) => one.includes(`"type":"${type}"`))
      return line === undefined ? null : recordedEvent.parse(JSON.parse(line)).event
    }
    const compared = last('cases.compared')
    if (compared?.type !== 'cases.compared' || compared.estimate === true) continue
    const planned = last('experiment.planned')
    return pictureOf(compared.comparisons, planned?.type === 'experiment.planned' ? planned.plan : null)
  }
  return null
}

/** Reads a recording whole. Only a recording of an earlier version has converted bytes: the others are read from their files. */
function readWhole(
  path: string,
): Pick<Shipped['view'], 'picture'> & { outline: Outline; converted: Uint8Array | null } {
  const given = readFileSync(path)
  const read = readRecording(given)
  return { outline: read.outline, picture: pictureIn(read), converted: given.equals(read.bytes) ? null : read.bytes }
}

/** Reads the recordings that come with Expresslane. Each stays open until it is closed. */
export function readShipped(dir: string): Shipped[] {
  return readdirSync(dir)
    .filter((file) => file.endsWith(SUFFIX))
    .toSorted()
    .map((file) => {
      const path = join(dir, file)
      // Open, it stays the same file when an update replaces it.
      const opened = openSync(path, 'r')
      const { size, mtimeMs } = fstatSync(opened)
      // Whole seconds: a copy in a container image has no parts of them.
      const seen = [path, size, Math.trunc(mtimeMs / 1000)].join(' ')
      const { outline: checked, picture, converted } = kept(seen, () => readWhole(path))
      const read = (from: number, to: number): Buffer => {
        if (converted !== null) return Buffer.from(converted.subarray(from, to))
        const bytes = Buffer.alloc(to - from)
        return bytes.subarray(0, readSync(opened, bytes, { position: from }))
      }
      return {
        view: viewOf(checked, file.slice(0, -SUFFIX.length), true, picture),
        file: { outline: checked, size: converted?.length ?? size, read },
        close: () => closeSync(opened),
      }
    })
}

function missing(): LabError {
  const remedy = 'Choose a recording from the list on the start page.'
  return new LabError('not_found', 'This recording does not exist.', remedy)
}

/** Null for no outline, or for an outline of another version. */
function readOutline(text: string | null): Outline | null {
  return text === null ? null : (outline.safeParse(JSON.parse(text)).data ?? null)
}

/** @param dir the folder of the shipped recordings */
export function createLibrary(dir: string, imported: Recordings, checks: Checks): Library {
  let known: readonly Shipped[] | null = null
  /** Read on first use, because many servers never play a recording. */
  function shipped(): readonly Shipped[] {
    known ??= readShipped(dir)
    return known
  }

  /** Converts an import of an earlier version, once, in the worker. */
  async function readAgain(id: string, size: number): Promise<RecordedFile> {
    const { bytes, outline: checked } = await checks.check(imported.read(id, 0, size))
    imported.replace(id, JSON.stringify(checked), bytes)
    return stored(id, checked, bytes.length)
  }

  function stored(id: string, of: Outline, size: number): RecordedFile {
    return {
      outline: of,
      size,
      read(from, to) {
        const bytes = imported.read(id, from, to)
        if (bytes.length === to - from) return bytes
        throw missing()
      },
    }
  }

  async function open(id: string): Promise<RecordedFile> {
    const found = shipped().find(({ view }) => view.id === id)
    if (found !== undefined) return found.file
    const size = imported.size(id)
    if (size === null) throw missing()
    const current = readOutline(imported.outline(id))
    return current === null ? readAgain(id, size) : stored(id, current, size)
  }

  return {
    list: () => [...shipped().map(({ view }) => view), ...imported.all()],
    open,
    async add(bytes, at) {
      const checked = await checks.check(bytes)
      const view = viewOf(checked.outline, checked.id, false)
      await imported.add(view, JSON.stringify(checked.outline), checked.bytes, at)
      return view
    },
    remove(id) {
      if (imported.remove(id)) return
      if (!shipped().some(({ view }) => view.id === id)) throw missing()
      throw new LabError(
        'recording_shipped',
        'This recording comes with Expresslane.',
        'Only imported recordings can be removed.',
      )
    },
    close() {
      for (const one of known ?? []) one.close()
      known = null
      checks.close()
    },
  }
}
