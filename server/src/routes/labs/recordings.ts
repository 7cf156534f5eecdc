import {
  downloadSession,
  downloadRun,
  JSON_LINES,
  listRecordings,
  importRecording,
  downloadRecording,
  removeRecording,
} from '@expresslane/shared/wire/recordings'
import { serve } from '../http/serve.ts'
import { finished, Readable } from 'node:stream'
import { LabError } from '@expresslane/shared/base/errors'
import { RECORDING_BYTES, recordingLine, type Recording } from '@expresslane/shared/recordings/recording'
import { formatTestbedId } from '@expresslane/shared/testbed/id'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { RecordedFile } from '@expresslane/shared/recordings/file/events'
import { chunksOf } from '../../replay/bytes.ts'
import { recordOneRun, recordSession } from '../../replay/record.ts'
import { createSlots } from '../../workers/slots.ts'
import { discardBody, isTooLarge, sendError } from '../http/errors.ts'
import { sendPieces } from '../http/pieces.ts'

/** An import takes up to three times its size in memory. Further bodies stay with their senders until an import ends. */
const IMPORTS_AT_ONCE = 2

/** Keeps the body as it came: errors in it are reported by line, and it is checked outside the event loop. */
function takeFile(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser<Buffer>(['application/json', JSON_LINES], { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body)
  })
}

function tooLargeError(): LabError {
  const remedy = 'Record a single run of the session instead.'
  return new LabError('recording_invalid', `This file is larger than ${RECORDING_BYTES / 1024 / 1024} MB.`, remedy)
}

/** Reports a body above the limit as an error in the recording. */
function reportTooLarge(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    if (!isTooLarge(error)) return sendError(error, request, reply)
    discardBody(request, reply)
    return sendError(tooLargeError(), request, reply)
  })
}

/** Headers for a download such as `expresslane-big-tcp-ipv4-2026-11-21.jsonl`. */
function attachment({ lab, recordedAt }: Pick<Recording, 'lab' | 'recordedAt'>): Record<string, string> {
  const name = `expresslane-${lab}-${new Date(recordedAt).toISOString().slice(0, 10)}.jsonl`
  return { 'content-disposition': `attachment; filename="${name}"`, 'content-type': JSON_LINES }
}

/** Sends the file as it is, a chunk at a time. */
function sendFile(reply: FastifyReply, of: RecordedFile): void {
  void reply.headers(attachment(of.outline)).send(Readable.from(chunksOf(of)))
}

/** Exports ended runs as recordings. */
export function recordRoutes(deps: Pick<Deps, 'store' | 'findLab' | 'reach'>): FastifyPluginAsync {
  const { reach } = deps
  return async (app) => {
    serve(app, downloadSession, {
      summary: 'The ended runs of a session, as a file that any Expresslane can replay',
      tags: ['recordings'],
      errors: [404, 409],
      file: 'JSON Lines',
      handler: async ({ principal, params }, reply) => {
        const { id } = reach.session(principal, params.id)
        const { head, pieces } = await recordSession(deps, id)
        return sendPieces(reply.headers(attachment(head)), pieces())
      },
    })

    serve(app, downloadRun, {
      summary: 'One ended run, as a file that any Expresslane can replay',
      tags: ['recordings'],
      errors: [404, 409],
      file: 'JSON Lines',
      handler: async ({ principal, params }, reply) => {
        const { head, pieces } = await recordOneRun(deps, reach.run(principal, params.id))
        return sendPieces(reply.headers(attachment(head)), pieces())
      },
    })
  }
}

/** Imports recordings, and returns and removes them. */
export function recordingRoutes({
  recordings,
  scheduler,
  clock,
}: Pick<Deps, 'recordings' | 'scheduler' | 'clock'>): FastifyPluginAsync {
  const slots = createSlots(IMPORTS_AT_ONCE)
  return async (app) => {
    takeFile(app)
    reportTooLarge(app)

    serve(app, listRecordings, {
      summary: 'The recordings that this server can replay',
      description: 'An `id` is a context of the `recording` testbed: a session on `recording:ID` replays it.',
      tags: ['recordings'],
      handler: async () => ({ recordings: recordings.list() }),
    })

    serve(app, importRecording, {
      summary: 'Import a recording: the body is the file',
      description: 'A recording of an older version is upgraded. Importing the same file twice gives one recording.',
      tags: ['recordings'],
      bodyLimit: RECORDING_BYTES,
      preParsing: async (_request, reply, body) => {
        finished(reply.raw, await slots.take())
        return body
      },
      config: { described: recordingLine },
      handler: async ({ body }) => recordings.add(body, clock.now()),
    })

    serve(app, downloadRecording, {
      summary: 'The file of a recording',
      tags: ['recordings'],
      errors: [404, 409],
      file: 'JSON Lines',
      handler: async ({ params }, reply) => {
        sendFile(reply, await recordings.open(params.id))
        return reply
      },
    })

    serve(app, removeRecording, {
      summary: 'Remove an imported recording',
      tags: ['recordings'],
      errors: [404, 409, 424],
      handler: async ({ params }) => {
        await recordings.open(params.id)
        await scheduler.release(formatTestbedId({ kind: 'recording', context: params.id, owner: null }))
        recordings.remove(params.id)
      },
    })
  }
}
