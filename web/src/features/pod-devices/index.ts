/** Views that only the pods' devices have. Public exports of this folder. */
import { lazy } from 'react'
import type { FeatureViews, LightViews } from '../views.ts'
import { PublishedConnections } from './published/published-connections.tsx'

export const podDevicesViews: FeatureViews = { PublishedRun: PublishedConnections }
export const podDevicesLightViews: LightViews = {
  Path: lazy(async () => ({ default: (await import('./path/path-view.tsx')).PathView })),
}
