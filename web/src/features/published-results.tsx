import { featureViews } from './registry.ts'
import type { PublishedProps, PublishedRunProps } from './views.ts'

/** Published results for the compared feature; nothing if there are none. */
export function PublishedResults({ feature, ...props }: PublishedProps & { feature: string | null }) {
  const View = feature === null ? undefined : featureViews[feature]?.Published
  return View === undefined ? null : <View {...props} />
}

/** Published results for an experiment of the feature; nothing if there are none. */
export function PublishedRun({ feature, result }: PublishedRunProps & { feature: string | null }) {
  const View = feature === null ? undefined : featureViews[feature]?.PublishedRun
  return View === undefined ? null : <View result={result} />
}
