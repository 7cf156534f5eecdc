import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useRef, useState } from 'react'
import { IconButton, TextInput } from '../components/controls.tsx'
import { IconX } from '../icons.tsx'
import { formatPlace } from './address.ts'
import type { Player } from './player.ts'
import classes from './timeline-bar.module.css'

interface OutputSearchProps {
  player: Player
  lab: Lab | undefined
  onClose: () => void
  /** Goes to a time, in milliseconds. */
  onGo: (at: number) => void
}

/** Finds lines in the output of all runs, and goes to the time of a line. */
export function OutputSearch({ player, lab, onClose, onGo }: OutputSearchProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => field.current?.querySelector('input')?.focus(), [])
  const sought = useDeferredValue(text.trim())
  const found = useQuery({
    queryKey: ['output', player.name, sought],
    queryFn: () => player.reader.ask('find', { sought }),
    enabled: sought.length > 1,
  })
  const hits = found.data ?? []
  return (
    <section className={`${classes.search} surface stack`} aria-label={i18n.t('Search in the output')}>
      <div className="row one-line">
        <div ref={field} className="grow">
          <TextInput
            type="search"
            aria-label={i18n.t('Text in the output')}
            placeholder={i18n.t('Text in the output')}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            onKeyDown={({ key }) => key === 'Escape' && onClose()}
          />
        </div>
        <IconButton aria-label={i18n.t('Close the search')} onClick={onClose}>
          <IconX size={20} />
        </IconButton>
      </div>
      <p role="status" className="muted">
        {found.isSuccess && i18n.t('{count, plural, one {# line} other {# lines}}', { count: hits.length })}
      </p>
      <ol role="list" className={classes.hits}>
        {hits.map(({ run, stepId, at, text: line }, index) => (
          // Lines repeat; the list is never sorted.
          <li key={`${run} ${index}`}>
            <button type="button" onClick={() => onGo(at)}>
              <span className="numbers muted">{formatPlace(at)}</span>{' '}
              <span className="muted">{lab?.steps.find(({ id }) => id === stepId)?.title ?? stepId}</span>
              <code className="block break-anywhere">{line}</code>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
