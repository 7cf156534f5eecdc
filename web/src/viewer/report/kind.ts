/** Recognizes reports and recordings by the first bytes of a file. */
import { LabError } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'

/** Longer than the parts of a file that tell its kind. */
const HEAD_BYTES = 1024

function toRead(form: string): LabError {
  return new LabError(
    'recording_invalid',
    i18n.t('This file is a report as {form}, which has no data for this page.', { form }),
    i18n.t('Open it with another program. To see it here, export the report as JSON, or the session as a recording.'),
  )
}

/**
 * The kind of a file: a report is JSON of the page's export, a result is JSON of `npm run lab`. Null for anything else,
 * which is read as a recording: that reader names its faults.
 *
 * @param name the file's, for forms that begin with any text
 * @throws LabError `recording_invalid` for a report in another form, which can't be opened here
 */
export function kindOfFile(bytes: Uint8Array, name: string): 'report' | 'result' | null {
  const head = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES)).trimStart()
  if (/^\{\s*"format"\s*:\s*"expresslane-report"/.test(head)) return 'report'
  if (/^\{\s*"lab"\s*:/.test(head)) return 'result'
  if (head.startsWith('{') || head.startsWith('[')) return null
  if (/^<(!doctype|html)/i.test(head)) throw toRead('HTML')
  if (/\.csv$/i.test(name)) throw toRead('CSV')
  if (/\.md$/i.test(name) || head.startsWith('# ')) throw toRead('Markdown')
  return null
}
