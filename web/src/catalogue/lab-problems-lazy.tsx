import type { LabProblem } from '@expresslane/shared/labs/problem'
import { lazy, Suspense } from 'react'

const Loaded = lazy(async () => ({ default: (await import('./lab-problems.tsx')).LabProblems }))

/** What is wrong with the files of labs. Loaded when there is something: most servers have no such file. */
export function LabProblems({ problems }: { problems: readonly LabProblem[] }) {
  if (problems.length === 0) return null
  return (
    <Suspense>
      <Loaded problems={problems} />
    </Suspense>
  )
}
