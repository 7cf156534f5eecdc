/** The profiles of a result, loaded when there are some: most results have none. */
import type { Result } from '@expresslane/shared/run/result'
import { lazy } from 'react'
import { Skeleton } from '../../components/controls.tsx'
import { OnDemand } from '../../components/on-demand.tsx'

const ProfileView = lazy(() => import('./profile-view.tsx').then((part) => ({ default: part.ProfileView })))

const ProfileLine = lazy(() => import('./profile-view.tsx').then((part) => ({ default: part.ProfileLine })))

interface WhyProps {
  result: Pick<Result, 'plan' | 'profiles'>
}

/** Why the arms of a result differ; nothing without profiles. */
export function Why({ result: { plan, profiles } }: WhyProps) {
  if (profiles.length === 0) return null
  return (
    <OnDemand fallback={<Skeleton height={400} />}>
      <ProfileView plan={plan} profiles={profiles} />
    </OnDemand>
  )
}

/** The same on a slide, in a sentence. */
export function WhyLine({ result: { plan, profiles } }: WhyProps) {
  return (
    <OnDemand>
      <ProfileLine plan={plan} profiles={profiles} />
    </OnDemand>
  )
}
