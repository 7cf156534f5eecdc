/** The worker that checks recordings: it gets a file, and posts its outline or its faults. */
import { parentPort } from 'node:worker_threads'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { readRecording } from '@expresslane/shared/recordings/file/check'
import { recordingId } from './bytes.ts'
import type { Checked } from './check-apart.ts'

const given = z.object({ shared: z.instanceof(SharedArrayBuffer) })

function check(file: Uint8Array): Checked {
  try {
    const { bytes, outline } = readRecording(file)
    return { id: recordingId(file), outline, converted: bytes === file ? null : new Uint8Array(bytes) }
  } catch (error) {
    if (error instanceof LabError) return { problem: error.toProblem() }
    throw error
  }
}

parentPort?.on('message', (message: unknown) => {
  parentPort?.postMessage(check(new Uint8Array(given.parse(message).shared)), [])
})
