import { useEffect, useRef, type ReactNode } from 'react'
import classes from './overlay.module.css'

interface OverlayProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** A panel above the slide. The keys of the presentation close it. */
export function Overlay({ title, onClose, children }: OverlayProps) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.focus({ preventScroll: true }), [])
  return (
    <div
      className={classes.back}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      role="presentation"
    >
      <div ref={panel} role="dialog" aria-modal="true" aria-label={title} tabIndex={-1} className={classes.panel}>
        <h2>{title}</h2>
        {children}
      </div>
    </div>
  )
}
