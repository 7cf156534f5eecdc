import { i18n } from '@expresslane/shared/base/language'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import { lazy } from 'react'
import { OnDemand } from '../components/on-demand.tsx'

/** Loaded on demand: few steps have exhibits. */
const ExhibitList = lazy(async () => ({ default: (await import('./exhibit-list.tsx')).ExhibitList }))

interface ExhibitsProps {
  of: readonly Exhibit[]
  /** For a projector: of a long table the first rows, and of a packet's headers the changes. */
  brief?: boolean
}

/** All exhibits of a run in their order; nothing if there are none. */
export function Exhibits({ of, brief = false }: ExhibitsProps) {
  if (of.length === 0) return null
  return (
    <OnDemand fallback={<p>{i18n.t('Loading what was found…')}</p>}>
      <ExhibitList of={of} brief={brief} />
    </OnDemand>
  )
}
