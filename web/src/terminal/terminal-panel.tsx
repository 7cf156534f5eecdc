import { i18n } from '@expresslane/shared/base/language'
import type { TerminalSize, TerminalView } from '@expresslane/shared/wire/terminal'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { browserSurroundings, connectTerminal, terminalsKey, type Connection } from './connection.ts'
import { openScreen, type Screen } from './screen.ts'
import classes from './terminal-dock.module.css'
import { typedHere } from './typed.ts'

interface TerminalPanelProps {
  of: TerminalView
  spoken: boolean
  /** Gets the focus when the reader leaves the terminal. */
  tabs: RefObject<HTMLDivElement | null>
  /** True: somebody else's terminal, in the size that its person chose. */
  watched?: boolean
  mayType?: boolean
}

/** The screen of a terminal, connected to it. */
export function TerminalPanel({
  of: { id, testbed, place },
  spoken,
  tabs,
  watched = false,
  mayType = true,
}: TerminalPanelProps) {
  const element = useRef<HTMLDivElement>(null)
  const opened = useRef<Screen>(null)
  const [words, say] = useState<string | null>(null)
  const label = useId()
  const client = useQueryClient()
  useEffect(() => {
    if (element.current === null) return
    let connection: Connection | null = null
    let size: TerminalSize = { rows: 24, columns: 80 }
    const screen = openScreen(element.current, {
      label: i18n.t('Terminal at {place}. Esc Esc leaves it.', { place }),
      spoken,
      fits: !watched,
      onKeys: (text) => connection?.type(text),
      onSize(next) {
        size = next
        if (!watched) connection?.resize(next)
      },
      onLeave: () => tabs.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus(),
    })
    opened.current = screen
    let hear = typedHere.begin(testbed, id)
    connection = connectTerminal(browserSurroundings(id), {
      restart() {
        screen.reset()
        hear = typedHere.begin(testbed, id)
      },
      output(bytes) {
        screen.write(bytes)
        hear(bytes)
      },
      size: screen.resize,
      state(state, message) {
        say(state === 'connected' ? null : (message ?? i18n.t('The connection is lost. Connecting again …')))
        if (state === 'ended') void client.invalidateQueries({ queryKey: terminalsKey(testbed) })
      },
    })
    if (!watched) {
      connection.resize(size)
      screen.focus()
    }
    return () => {
      connection?.close()
      screen.dispose()
    }
  }, [id, testbed, place, spoken, tabs, client, watched])
  useEffect(() => opened.current?.allowKeys(mayType), [mayType, id, spoken])
  return (
    <div role="group" aria-labelledby={label} className={classes.panel}>
      <span id={label} className="hidden">
        {place}
      </span>
      {words !== null && (
        <p role="status" className="muted">
          {words}
        </p>
      )}
      <div ref={element} className={classes.screen} data-watched={watched || undefined} />
    </div>
  )
}
