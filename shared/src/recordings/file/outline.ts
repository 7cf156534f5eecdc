/** The outline of a checked recording, with byte ranges in its file: the events stay in the file, and are read piece by piece. */
import { recordedRunHead, recordingHead, type RecordingView } from '../recording.ts'
import { z } from 'zod'

const position = z.number().int().nonnegative()
/** A range of bytes in the file: from the first up to, but not including, the second. */
const byteRange = z.tuple([position, position])
export type ByteRange = z.infer<typeof byteRange>

const { version, name, recordedAt, lab, facts } = recordingHead.shape

/** Kept beside an imported file. A file without an outline of this version and shape is read again. */
export const outline = z.strictObject({
  version,
  name,
  recordedAt,
  lab,
  facts,
  /** The first reading of the path, from before any change. */
  reading: byteRange.nullable(),
  /** The checks of the last preflight. */
  checks: z.array(byteRange),
  runs: z.array(
    z.strictObject({
      ...recordedRunHead.shape,
      lastsMs: z.number().int().nonnegative(),
      /** Its events in pieces that are read at once: whole lines, without the last one's end. */
      pieces: z.array(byteRange),
    }),
  ),
})
export type Outline = z.infer<typeof outline>
export type OutlinedRun = Outline['runs'][number]

/** A recording's entry in a list. */
export function viewOf(
  of: Outline,
  id: string,
  shipped: boolean,
  picture: RecordingView['picture'] = null,
): RecordingView {
  const { name: title, lab: labId, recordedAt: at, facts: where, runs } = of
  const lastsMs = runs.reduce((sum, run) => sum + run.lastsMs, 0)
  const environment = { testbed: where.kind, testbedName: where.name, kernel: where.kernel }
  return { id, name: title, lab: labId, recordedAt: at, ...environment, runs: runs.length, lastsMs, shipped, picture }
}
