import { Button } from '@mantine/core'
import { IconFileImport } from '@tabler/icons-react'
import { useRef } from 'react'
import { FetchProblem } from '../components/problem-notice.tsx'
import { Notice } from '../components/notice.tsx'
import classes from './recording-list.module.css'
import { useFileDrop } from './use-file-drop.ts'
import type { useRecordingChange } from './use-recordings.ts'

/** Takes a file from a button, and from anywhere on the page that it is dropped. */
export function RecordingImport({ add }: Pick<ReturnType<typeof useRecordingChange>, 'add'>) {
  const input = useRef<HTMLInputElement>(null)
  const section = useRef<HTMLDivElement>(null)
  function take(file: File): void {
    // Dropped at the top of the page, its news are far below.
    add.mutate(file, { onSettled: () => section.current?.scrollIntoView({ block: 'center' }) })
  }
  const over = useFileDrop(take)
  return (
    <div ref={section} className={classes.import}>
      <div className={classes.row}>
        <Button
          variant="default"
          leftSection={<IconFileImport size={18} stroke={1.8} aria-hidden />}
          loading={add.isPending}
          onClick={() => input.current?.click()}
        >
          Import a recording
        </Button>
        <span className={classes.says}>or drop its file anywhere on this page</span>
      </div>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Recording's file"
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          // The same file may be chosen again once it is corrected.
          currentTarget.value = ''
          if (file !== undefined) take(file)
        }}
      />
      {add.isSuccess && (
        <Notice tone="good" title={`Imported: ${add.data.name}`} role="status">
          <p>It is the one that is played back now.</p>
        </Notice>
      )}
      {add.error !== null && <FetchProblem error={add.error} retry={() => input.current?.click()} />}
      {over && (
        <div className={classes.drop}>
          <p>Drop the recording to import it</p>
        </div>
      )}
    </div>
  )
}
