import { lazy, Suspense } from 'react'

const Bar = lazy(() => import('./participant-bar.tsx').then((bar) => ({ default: bar.ParticipantBar })))

/** Loads with the first page of a participant; other pages have no use for it. */
export function ParticipantBar() {
  return (
    <Suspense>
      <Bar />
    </Suspense>
  )
}
