import type { Capture } from '@expresslane/shared/measure/capture'
import { featureViews, piecesViews } from './registry.ts'
import type { CaptureViewProps } from './views.ts'
import { OnDemand } from '../components/on-demand.tsx'

/** Captured packets, as the lab's feature shows them; nothing if it has no view of them. */
export function CaptureView({ feature, ...props }: CaptureViewProps & { feature: string | null }) {
  const View = feature === null ? undefined : featureViews[feature]?.Capture
  return View === undefined ? null : <View {...props} />
}

/** Only the packets of each message, small enough for a phone. */
export function CapturePieces({ feature, capture }: { feature: string; capture: Capture }) {
  const View = piecesViews[feature]
  if (View === undefined) return null
  return (
    <OnDemand>
      <View capture={capture} captures={[capture]} />
    </OnDemand>
  )
}
