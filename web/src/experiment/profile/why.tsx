/** The profiles of a result, loaded when there are some: most results have none. */
import { i18n } from '@expresslane/shared/base/language'
import type { Result } from '@expresslane/shared/run/result'
import { lazy, useContext } from 'react'
import { Skeleton } from '../../components/controls.tsx'
import { OnDemand } from '../../components/on-demand.tsx'
import { RecordedContext } from '../../components/prose/command-block.tsx'

const ProfileView = lazy(() => import('./profile-view.tsx').then((part) => ({ default: part.ProfileView })))

const ProfileLine = lazy(() => import('./profile-view.tsx').then((part) => ({ default: part.ProfileLine })))

interface WhyProps {
  result: Pick<Result, 'plan' | 'profiles'>
}

/** Why the arms of a result differ. Without profiles nothing, but a recording can't make one: it says so. */
export function Why({ result: { plan, profiles } }: WhyProps) {
  const isRecorded = useContext(RecordedContext)
  if (profiles.length === 0) {
    return isRecorded ? (
      <p className="muted readable">{i18n.t('This recording has no profile, so it can’t say why the arms differ.')}</p>
    ) : null
  }
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
