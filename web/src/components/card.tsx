import type { ReactNode } from 'react'
import classes from './card.module.css'

interface CardProps {
  children: ReactNode
  /** For a page that says one thing. */
  narrow?: boolean
  labelledBy?: string
}

/** A surface; a region of its own where it has a heading to be named by. */
export function Card({ children, narrow = false, labelledBy }: CardProps) {
  const Tag = labelledBy === undefined ? 'div' : 'section'
  return (
    <Tag className={`${classes.card} ${narrow ? classes.narrow : ''}`} aria-labelledby={labelledBy}>
      {children}
    </Tag>
  )
}

/** The width and margins of a page that has one column. */
export function Page({ children }: { children: ReactNode }) {
  return <div className={classes.page}>{children}</div>
}

/** What there is to say where there is nothing to show. */
export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.empty}>
      <p className={classes.emptyTitle}>{title}</p>
      <p>{children}</p>
    </div>
  )
}
