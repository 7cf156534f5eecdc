import { i18n } from '@expresslane/shared/base/language'
import { Button } from '../components/controls.tsx'
import { IconFileImport } from '../icons.tsx'
import { useRef } from 'react'
import { FetchProblem } from '../components/problem-notice.tsx'
import { Notice } from '../components/notice.tsx'
import classes from './recordings.module.css'
import { useFileDrop } from './use-file-drop.ts'
import type { useRecordingChange } from './use-recordings.ts'

/** Imports a file that is chosen with a button or dropped anywhere on the page. */
export function RecordingImport({ add }: Pick<ReturnType<typeof useRecordingChange>, 'add'>) {
  const input = useRef<HTMLInputElement>(null)
  const section = useRef<HTMLDivElement>(null)
  function take(file: File): void {
    // The result is shown here, possibly far below the place where the file was dropped.
    add.mutate(file, { onSettled: () => section.current?.scrollIntoView({ block: 'center' }) })
  }
  const over = useFileDrop(take)
  return (
    <div ref={section} className="stack">
      <div className="row">
        <Button
          variant="default"
          leftSection={<IconFileImport size={18} stroke={1.8} aria-hidden />}
          loading={add.isPending}
          onClick={() => input.current?.click()}
        >
          {i18n.t('Import a recording')}
        </Button>
        <span className="muted">{i18n.t('or drop the file anywhere on this page')}</span>
      </div>
      <input
        ref={input}
        type="file"
        accept=".jsonl,.json,application/jsonl,application/json"
        hidden
        aria-label={i18n.t('Recording file')}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // Allows choosing the same file again after it was corrected.
          currentTarget.value = ''
          if (file !== undefined) take(file)
        }}
      />
      {add.isSuccess && (
        <Notice tone="good" title={i18n.t('Imported: {name}', { name: add.data.name })} role="status">
          <p>{i18n.t('This recording is selected now.')}</p>
        </Notice>
      )}
      {add.error !== null && <FetchProblem error={add.error} retry={() => input.current?.click()} />}
      {over && (
        <div className={`${classes.drop} strong center`}>
          <p>{i18n.t('Drop the recording to import it')}</p>
        </div>
      )}
    </div>
  )
}
