import type { ReactNode } from 'react'
import classes from './follow.module.css'

interface FrameProps {
  title: string
  /** At the right of the header. */
  mark?: ReactNode
  children: ReactNode
}

/** Header and content of the light pages. */
export function Frame({ title, mark, children }: FrameProps) {
  return (
    <>
      <header className={`${classes.header} row one-line`}>
        <svg className="fixed" width="28" height="28" viewBox="0 0 32 32" aria-hidden>
          <rect x="4" y="8" width="10" height="6" rx="2" fill="var(--arm-off)" />
          <rect x="4" y="18" width="24" height="6" rx="2" fill="var(--arm-on)" />
        </svg>
        <h1 className="grow large">{title}</h1>
        {mark}
      </header>
      <main className={`${classes.main} stack wide`}>{children}</main>
    </>
  )
}
