import { i18n } from '@expresslane/shared/base/language'
import { useRef } from 'react'
import { FetchProblem } from '../components/problem-notice.tsx'
import { Notice } from '../components/notice.tsx'
import { FilePick } from './file-pick.tsx'
import type { useRecordingChange } from './use-recordings.ts'

/** Imports a file that is chosen with a button or dropped anywhere on the page. */
export function RecordingImport({ add }: Pick<ReturnType<typeof useRecordingChange>, 'add'>) {
  const choose = useRef<() => void>(null)
  const section = useRef<HTMLDivElement>(null)
  function take(file: File): void {
    // The result is shown here, possibly far below the place where the file was dropped.
    add.mutate(file, { onSettled: () => section.current?.scrollIntoView({ block: 'center' }) })
  }
  return (
    <div ref={section} className="stack">
      <FilePick
        label={i18n.t('Import a recording')}
        hint={i18n.t('or drop the file anywhere on this page')}
        dropWords={i18n.t('Drop the recording to import it')}
        variant="default"
        loading={add.isPending}
        onFile={take}
        choose={choose}
      />
      {add.isSuccess && (
        <Notice tone="good" title={i18n.t('Imported: {name}', { name: add.data.name })} role="status">
          <p>{i18n.t('This recording is selected now.')}</p>
        </Notice>
      )}
      {add.error !== null && <FetchProblem error={add.error} retry={() => choose.current?.()} />}
    </div>
  )
}
