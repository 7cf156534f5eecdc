import { i18n } from '@expresslane/shared/base/language'
import type { LabCommand } from '@expresslane/shared/labs/lab'
import { CommandBlock } from './command-block.tsx'
import classes from './commands-by-hand.module.css'

/** A step's commands, folded away until somebody wants to type them; nothing if there are none. */
export function CommandsByHand({ commands }: { commands: readonly LabCommand[] }) {
  if (commands.length === 0) return null
  return (
    <details className={classes.commands}>
      <summary>{i18n.t('Commands to do this by hand')}</summary>
      {commands.map(({ note, text }) => (
        <CommandBlock key={text} note={note} text={text} />
      ))}
    </details>
  )
}
