import { lazy } from 'react'
import { OnDemand } from '../../components/on-demand.tsx'

const Bar = lazy(() => import('./workshop-bar.tsx').then((bar) => ({ default: bar.WorkshopBar })))

/** Loads with the first page in a workshop; other pages have no use for it. */
export function WorkshopBar() {
  return (
    <OnDemand>
      <Bar />
    </OnDemand>
  )
}
