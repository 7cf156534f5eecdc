import type { ReactNode } from 'react'

/** A heading with the hue of the arm around it. */
export function ArmHeading({ level: Heading, id, children }: { level: 'h3' | 'h4'; id: string; children: ReactNode }) {
  return (
    <Heading id={id} className="large row one-line">
      <span className="swatch" aria-hidden />
      {children}
    </Heading>
  )
}
