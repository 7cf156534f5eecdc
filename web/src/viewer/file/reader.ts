/** A recording in a worker of its own, so that no file stops the page. */
import { LabError } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'
import { createAsker } from '../asker.ts'
import type { Opened, QuestionName, Questions } from './questions.ts'
// oxlint-disable-next-line import/default -- Vite makes it of the module
import ReadingWorker from './reading-worker.ts?worker'

export interface Reader {
  /** @throws LabError `recording_invalid` */
  ask<Name extends QuestionName>(name: Name, asked: Questions[Name]['asked']): Promise<Questions[Name]['answer']>
  close(): void
}

/** Larger than any file that a server exports. */
const MOST_BYTES = 128 * 1024 * 1024
/** A file of 50 MB takes four seconds, page and all. */
const OPENING_MS = 60_000

function tooMuch(message: string): LabError {
  return new LabError('recording_invalid', message, i18n.t('Choose a file that Expresslane exported.'))
}

/** Starts a worker without a recording. */
export function startReader(): Reader {
  const { ask, end } = createAsker<Questions>(new ReadingWorker(), (reason) =>
    tooMuch(i18n.t('This recording can’t be read: {reason}.', { reason })),
  )
  return {
    ask: (name, asked) => ask(name, asked, 'bytes' in asked ? [asked.bytes.buffer] : []),
    close: () => end(tooMuch(i18n.t('This recording can’t be read: checking it takes too much time.'))),
  }
}

/**
 * Checks a file and keeps it open.
 *
 * @param id of a recording that comes with the site; null for any other file
 * @throws LabError `recording_invalid`, whose message names the line and the field
 */
export async function openFile(reader: Reader, bytes: Uint8Array<ArrayBuffer>, id: string | null): Promise<Opened> {
  if (bytes.length > MOST_BYTES) {
    throw tooMuch(i18n.t('This file is larger than {size} MB.', { size: MOST_BYTES / 1024 / 1024 }))
  }
  const timer = setTimeout(() => reader.close(), OPENING_MS)
  try {
    return await reader.ask('open', { bytes, id })
  } finally {
    clearTimeout(timer)
  }
}
