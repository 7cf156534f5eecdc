import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { RunId, SessionId } from '@expresslane/shared/run/events'
import { downloadRun, downloadSession } from '@expresslane/shared/wire/recordings'
import { addressOf, file } from '../api/request.ts'
import type { ReportFormat } from '@expresslane/shared/report/file'
import { useMutation } from '@tanstack/react-query'
import { IconFileExport } from '../icons.tsx'
import { DropMenu } from '../components/drop-menu.tsx'
import { ChangeProblem } from '../components/problem-notice.tsx'

const formats: readonly [ReportFormat, string, string][] = [
  ['html', 'HTML', /*i18n*/ 'to read, print and keep'],
  ['json', 'JSON', /*i18n*/ 'everything, for scripts'],
  ['csv', 'CSV', /*i18n*/ 'one row per measurement'],
  ['md', 'Markdown', /*i18n*/ 'for an issue or a chat'],
]

/** The addresses of reports. */
export const reportPath = {
  session: (id: string) => `/api/sessions/${id}/report`,
  run: (id: string) => `/api/runs/${id}/report`,
  /** Both sides as in the address of the compare page. */
  comparison: (a: string, b: string) => `/api/compare/report?${new URLSearchParams({ a, b }).toString()}`,
}

/** The addresses of recordings. */
export const recordingPath = {
  session: (id: SessionId) => addressOf(downloadSession, { params: { id } }),
  run: (id: RunId) => addressOf(downloadRun, { params: { id } }),
}

interface ExportMenuProps {
  path: string
  /** The address of the recording; null before a run has ended, and for played-back runs. */
  recording?: string | null
}

/** Exports a result in any format. */
export function ExportMenu({ path, recording = null }: ExportMenuProps) {
  const copy = useMutation({
    mutationFn: async () => navigator.clipboard.writeText(await (await file(withFormat(path, 'md'))).text()),
  })
  return (
    <div className="row">
      <DropMenu label={i18n.t('Export')} icon={<IconFileExport size={18} stroke={1.8} aria-hidden />}>
        {formats.map(([format, name, use]) => (
          <li key={format}>
            <a href={withFormat(path, format)} download>
              {name} <small>{i18n.t(use)}</small>
            </a>
          </li>
        ))}
        {recording !== null && (
          <li>
            <a href={recording} download>
              <Trans id="Record <0>to play back anywhere</0>" components={{ 0: <small /> }} />
            </a>
          </li>
        )}
        <li>
          <button type="button" onClick={() => copy.mutate()}>
            <Trans
              id={
                copy.isSuccess
                  ? /*i18n*/ 'Copy as Markdown <0>copied</0>'
                  : /*i18n*/ 'Copy as Markdown <0>to the clipboard</0>'
              }
              components={{ 0: <small role="status" /> }}
            />
          </button>
        </li>
      </DropMenu>
      <ChangeProblem of={copy} />
    </div>
  )
}

function withFormat(path: string, format: ReportFormat): string {
  return `${path}${path.includes('?') ? '&' : '?'}format=${format}`
}
