import { lazy } from 'react'
import { OnDemand } from '../components/on-demand.tsx'
import { runsNothing, type Offer } from './ways.ts'

const Loaded = lazy(async () => ({ default: (await import('./try-here.tsx')).TryHere }))

/** The experiment in a browser's tab, where nothing else can run. Loaded on demand, because most machines run labs. */
export function TryHere({ offer }: { offer: Offer }) {
  if (!runsNothing(offer)) return null
  return (
    <OnDemand>
      <Loaded />
    </OnDemand>
  )
}
