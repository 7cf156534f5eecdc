import type { ReactNode } from 'react'
import classes from './card.module.css'

interface CardProps {
  children: ReactNode
  /** For a page with a single message. */
  narrow?: boolean
  labelledBy?: string
}

/** A surface; with `labelledBy` it is a region with that name. */
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

/** Replaces content that is missing. */
export function Empty({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.empty}>
      <p className={classes.emptyTitle}>{title}</p>
      <div>{children}</div>
    </div>
  )
}
