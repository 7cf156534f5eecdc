import { IconChevronDown } from '../icons.tsx'
import { useEffect, useRef, type ReactNode } from 'react'
import classes from './drop-menu.module.css'

interface DropMenuProps {
  label: string
  icon: ReactNode
  /** For the place next to a chart's title. */
  small?: boolean
  children: ReactNode
}

/** A button that opens a list of links and buttons. It closes with Escape and when it loses the focus. */
export function DropMenu({ label, icon, small = false, children }: DropMenuProps) {
  const details = useRef<HTMLDetailsElement>(null)
  // Listens on the details element, because keys and focus changes bubble up to it from the summary and the list.
  useEffect(() => {
    const element = details.current
    if (element === null) return
    const close = (): void => {
      element.open = false
    }
    const leave = (event: FocusEvent): void => {
      if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) close()
    }
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !element.open) return
      event.stopPropagation()
      close()
      element.querySelector('summary')?.focus()
    }
    element.addEventListener('focusout', leave)
    element.addEventListener('keydown', escape)
    return () => {
      element.removeEventListener('focusout', leave)
      element.removeEventListener('keydown', escape)
    }
  }, [])
  return (
    <details ref={details} className={classes.menu} data-small={small}>
      <summary className={classes.button}>
        {icon}
        <span>{label}</span>
        <IconChevronDown size={16} aria-hidden className={classes.chevron} />
      </summary>
      <ul role="list" className={classes.items}>
        {children}
      </ul>
    </details>
  )
}
