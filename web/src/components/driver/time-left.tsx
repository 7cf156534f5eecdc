import { useNow } from '../run/use-now.ts'

/** How long the driver has to answer. The server decides; the page only says when to press again. */
export const ANSWER_MS = 60_000

/** `in 40 s`, counting down; screen readers skip it, because it changes every second. */
export function TimeLeft({ until }: { until: number }) {
  const now = useNow()
  const seconds = Math.ceil((until - now) / 1000)
  return <span aria-hidden>{seconds > 0 ? `in ${seconds} s` : 'now'}</span>
}
