import { i18n } from '@expresslane/shared/base/language'
import type { PathViewProps } from '../../views.ts'
import { WayStages } from '../../way.tsx'
import { wayOf } from './way.ts'

/** Client outside, called node with its hooks, backend's node and pod. */
export function PathView({ path, family }: PathViewProps) {
  const datapath = path?.datapath ?? null
  if (datapath === null) return null
  return (
    <div className="stack">
      {datapath.placement === null && (
        <p className="muted">{i18n.t('No pods are deployed: Build chooses the nodes.')}</p>
      )}
      <WayStages way={wayOf(datapath, family)} handling={i18n.t('handles it')} end="backend" />
    </div>
  )
}
