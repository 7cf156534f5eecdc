/** Views that only NodePort has. Public exports of this folder. */
import { lazy } from 'react'
import type { FeatureViews, LightViews } from '../views.ts'
import { PublishedRates } from './published/published-rates.tsx'

export const nodeportViews: FeatureViews = { PublishedRun: PublishedRates }
export const nodeportLightViews: LightViews = {
  Path: lazy(async () => ({ default: (await import('./path/path-view.tsx')).PathView })),
}
