import type { LabProblem } from '@expresslane/shared/labs/problem'
import { lazy } from 'react'
import { OnDemand } from '../components/on-demand.tsx'

const Loaded = lazy(async () => ({ default: (await import('./lab-problems.tsx')).LabProblems }))

/** Errors in lab files. Loaded on demand, because errors are rare. */
export function LabProblems({ problems }: { problems: readonly LabProblem[] }) {
  if (problems.length === 0) return null
  return (
    <OnDemand>
      <Loaded problems={problems} />
    </OnDemand>
  )
}
