/** The terminals of a participant who lets an instructor look: read-only until the participant allows keys. */
import { i18n } from '@expresslane/shared/base/language'
import type { TerminalView } from '@expresslane/shared/wire/terminal'
import { useRef, useState } from 'react'
import classes from './terminal-dock.module.css'
import { TerminalPanel } from './terminal-panel.tsx'

interface WatchedDockProps {
  terminals: readonly TerminalView[]
  mayType: boolean
}

/** A tab for each terminal that the participant has open. */
export function WatchedDock({ terminals, mayType }: WatchedDockProps) {
  const [chosen, choose] = useState<string | null>(null)
  const tabs = useRef<HTMLDivElement>(null)
  const shown = terminals.find(({ id }) => id === chosen) ?? terminals.at(-1)
  return (
    <section className={classes.dock} aria-label={i18n.t('Terminals of the participant')}>
      <div className={classes.bar}>
        <div className={classes.tabs} ref={tabs}>
          {terminals.map(({ id, place }) => (
            <span key={id} className={classes.tab} data-shown={id === shown?.id || undefined}>
              <button type="button" aria-current={id === shown?.id} onClick={() => choose(id)}>
                {place}
              </button>
            </span>
          ))}
          <span className="muted">{mayType ? i18n.t('You can type.') : i18n.t('Read-only')}</span>
        </div>
      </div>
      {shown !== undefined && (
        <TerminalPanel key={shown.id} of={shown} spoken={false} tabs={tabs} watched mayType={mayType} />
      )}
    </section>
  )
}
