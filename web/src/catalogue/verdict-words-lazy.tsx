import type { BriefVerdict } from '@expresslane/shared/compare/comparison'
import { lazy } from 'react'
import { OnDemand } from '../components/on-demand.tsx'

const Loaded = lazy(async () => {
  const { briefWords } = await import('@expresslane/shared/compare/brief')
  return { default: ({ of }: { of: BriefVerdict }) => briefWords(of) }
})

/** A verdict as a figure: `12.4 % faster`. Loaded on demand, because the words of metrics need all features. */
export function VerdictWords({ of }: { of: BriefVerdict }) {
  return (
    <strong>
      <OnDemand>
        <Loaded of={of} />
      </OnDemand>
    </strong>
  )
}
