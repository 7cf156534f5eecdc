import { featureViews } from './registry.ts'
import type { CaptureViewProps } from './views.ts'

/** Captured packets, as the lab's feature shows them; nothing if it has no view of them. */
export function CaptureView({ feature, ...props }: CaptureViewProps & { feature: string | null }) {
  const View = feature === null ? undefined : featureViews[feature]?.Capture
  return View === undefined ? null : <View {...props} />
}
