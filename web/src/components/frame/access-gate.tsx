import { LabError } from '@expresslane/shared/base/errors'
import { lazy, type ReactNode } from 'react'
import { useLabs, useMe } from '../../api/queries.ts'
import { OnDemand } from '../on-demand.tsx'

/** Loaded on demand: most visitors have a login. */
const TokenCard = lazy(async () => ({ default: (await import('./access-cards.tsx')).TokenCard }))
const FollowerCard = lazy(async () => ({ default: (await import('./access-cards.tsx')).FollowerCard }))

/** Shows the page to visitors with the token's cookie, and asks others for the token. */
export function AccessGate({ children }: { children: ReactNode }) {
  const { error } = useLabs()
  const isViewer = useMe().data?.role === 'viewer'
  if (!isViewer && !(error instanceof LabError && error.code === 'unauthorized')) return children
  return <OnDemand>{isViewer ? <FollowerCard /> : <TokenCard />}</OnDemand>
}
