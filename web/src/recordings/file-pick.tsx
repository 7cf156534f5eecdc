import { i18n } from '@expresslane/shared/base/language'
import { useImperativeHandle, useRef, type Ref } from 'react'
import { Button } from '../components/controls.tsx'
import { IconFileImport } from '../icons.tsx'
import classes from './recordings.module.css'
import { useFileDrop } from './use-file-drop.ts'

interface FilePickProps {
  label: string
  /** Beside the button: a file can be dropped, too. */
  hint: string
  /** Over the page, while a file is dragged over it. */
  dropWords: string
  variant: 'filled' | 'default'
  loading: boolean
  onFile: (file: File) => void
  /** Opens the browser's dialog. */
  choose?: Ref<() => void>
}

/** Takes a file that is chosen with a button or dropped anywhere on the page. */
export function FilePick({ label, hint, dropWords, variant, loading, onFile, choose }: FilePickProps) {
  const input = useRef<HTMLInputElement>(null)
  const open = (): void => input.current?.click()
  useImperativeHandle(choose, () => open)
  const over = useFileDrop(onFile)
  return (
    <>
      <div className="row">
        <Button
          variant={variant}
          leftSection={<IconFileImport size={18} stroke={1.8} aria-hidden />}
          loading={loading}
          onClick={open}
        >
          {label}
        </Button>
        <span className="muted">{hint}</span>
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
          if (file !== undefined) onFile(file)
        }}
      />
      {over && (
        <div className={`${classes.drop} strong center`}>
          <p>{dropWords}</p>
        </div>
      )}
    </>
  )
}
