import { startTransition, useEffect, useState, type ReactNode } from 'react'

/** Draws a part of the page after the rest, so that a page with much to draw does not keep the browser for one long task. */
export function Later({ children }: { children: ReactNode }) {
  const [due, setDue] = useState(false)
  useEffect(() => startTransition(() => setDue(true)), [])
  return due ? children : null
}
