import classes from './command-block.module.css'
import { CopyButton } from './copy-button.tsx'

/** A command with a copy button. */
export function CommandBlock({ text, note }: { text: string; note: string | null }) {
  return (
    <div className={classes.block}>
      {note !== null && <p className={classes.note}>{note}</p>}
      <div className={classes.line}>
        <pre className={classes.text}>
          <code>{text}</code>
        </pre>
        <CopyButton text={text} what={note === null ? 'command' : `command: ${note}`} />
      </div>
    </div>
  )
}
