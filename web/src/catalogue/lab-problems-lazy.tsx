import type { LabProblem } from '@expresslane/shared/labs/problem'
import { lazy, Suspense } from 'react'

const Loaded = lazy(async () => ({ default: (await import('./lab-problems.tsx')).LabProblems }))

/** Errors in lab files. Loaded on demand, because errors are rare. */
export function LabProblems({ problems }: { problems: readonly LabProblem[] }) {
  if (problems.length === 0) return null
  return (
    <Suspense>
      <Loaded problems={problems} />
    </Suspense>
  )
}
