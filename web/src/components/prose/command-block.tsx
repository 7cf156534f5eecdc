import { i18n } from '@expresslane/shared/base/language'
import { createContext, useContext } from 'react'
import classes from './command-block.module.css'
import { CopyButton } from './copy-button.tsx'

/** Whether what is shown comes from a recording, so its commands are somebody else's. */
export const RecordedContext = createContext(false)

/** A command with a copy button; a command of a recording has none, because somebody else wrote it, for another machine. */
export function CommandBlock({ text, note }: { text: string; note: string | null }) {
  const recorded = useContext(RecordedContext)
  return (
    <div className={classes.block}>
      {recorded && (
        <p className={`${classes.note} muted`}>
          {i18n.t(
            'From the recording: somebody else wrote this, for the machine where it was recorded. Read it before you run it.',
          )}
        </p>
      )}
      {note !== null && <p className={`${classes.note} muted`}>{note}</p>}
      <div className={classes.line}>
        <pre className={`${classes.text} grow break-anywhere`}>
          <code>{text}</code>
        </pre>
        {!recorded && (
          <CopyButton text={text} what={note === null ? i18n.t('command') : i18n.t('command: {note}', { note })} />
        )}
      </div>
    </div>
  )
}
