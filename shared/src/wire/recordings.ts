/** Routes of recordings: each is a file in JSON Lines. */
import { z } from 'zod'
import { recordingsResponse, recordingView } from '../recordings/recording.ts'
import { runParams, sessionParams } from './protocol.ts'
import type { Route } from './route.ts'

/** @see https://jsonlines.org */
export const JSON_LINES = 'application/jsonl'
const file = [JSON_LINES]
const recordingParams = z.strictObject({ id: z.string().max(80) })

export const listRecordings = { at: 'GET /api/recordings', response: recordingsResponse } satisfies Route
/** The body is the file, so that the server can report errors by line. */
export const importRecording = {
  at: 'POST /api/recordings',
  body: z.instanceof(Uint8Array<ArrayBuffer>),
  status: 201,
  response: recordingView,
} satisfies Route
export const downloadRecording = { at: 'GET /api/recordings/:id', params: recordingParams, file } satisfies Route
export const removeRecording = { at: 'DELETE /api/recordings/:id', params: recordingParams } satisfies Route
export const downloadSession = { at: 'GET /api/sessions/:id/recording', params: sessionParams, file } satisfies Route
export const downloadRun = { at: 'GET /api/runs/:id/recording', params: runParams, file } satisfies Route
