/** Views that only NodePort on a cluster has. Public exports of this folder. */
import { lazy } from 'react'
import type { LightViews } from '../views.ts'

export const nodeportClusterLightViews: LightViews = {
  Path: lazy(async () => ({ default: (await import('./path/path-view.tsx')).PathView })),
}
