import type { ReactNode } from 'react'
import classes from './arm-heading.module.css'

/** A heading with the hue of the arm around it. */
export function ArmHeading({ level: Heading, id, children }: { level: 'h3' | 'h4'; id: string; children: ReactNode }) {
  return (
    <Heading id={id} className={classes.title}>
      <span className={classes.swatch} aria-hidden />
      {children}
    </Heading>
  )
}
