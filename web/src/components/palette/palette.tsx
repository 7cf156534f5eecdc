import { i18n } from '@expresslane/shared/base/language'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { TextInput } from '../controls.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { matching, useCommands, type Command } from './commands.ts'
import classes from './palette.module.css'

/** Finds a lab, a step, a page, an action or a run by typing: a combobox with its list, in a dialog. */
export function Palette({ onClose }: { onClose: () => void }) {
  const commands = useCommands()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const chosen = useRef<HTMLButtonElement>(null)
  const id = useId()
  const found = matching(commands, text)
  useEffect(() => {
    // In braces: some browsers return a promise, which must not become the end of this effect.
    chosen.current?.scrollIntoView({ block: 'nearest' })
  }, [at])

  function perform(command: Command | undefined): void {
    if (command === undefined) return
    onClose()
    command.perform()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setAt((at + step + found.length) % Math.max(1, found.length))
    else if (event.key === 'Enter') perform(found[at])
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={i18n.t('Go to')} onClose={onClose}>
      <TextInput
        role="combobox"
        aria-label={i18n.t('Lab, step, page, action or run')}
        placeholder={i18n.t('Lab, step, page, action or run')}
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length === 0 ? undefined : `${id}-${at}`}
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={id} aria-label={i18n.t('Found')} className={classes.list}>
        {found.map((command, index) => (
          <button
            type="button"
            tabIndex={-1}
            key={command.id}
            ref={index === at ? chosen : null}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className="row between one-line wide"
            onPointerMove={() => setAt(index)}
            onClick={() => perform(command)}
          >
            <span>{command.name}</span> <span className="muted no-wrap">{command.kind}</span>
          </button>
        ))}
      </div>
      <p role="status" className="muted">
        {found.length === 0 && i18n.t('Nothing has these words.')}
      </p>
    </Dialog>
  )
}
