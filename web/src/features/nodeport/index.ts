/** Views that only NodePort has. Public exports of this folder. */
import type { FeatureViews, LightViews } from '../views.ts'
import { PathView } from './path/path-view.tsx'
import { PublishedRates } from './published/published-rates.tsx'

export const nodeportViews: FeatureViews = { PublishedRun: PublishedRates }
export const nodeportLightViews: LightViews = { Path: PathView }
