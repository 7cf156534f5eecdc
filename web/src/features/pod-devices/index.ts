/** Views that only the pods' devices have. Public exports of this folder. */
import { lazy } from 'react'
import type { LightViews } from '../views.ts'

export const podDevicesLightViews: LightViews = {
  Path: lazy(async () => ({ default: (await import('./path/path-view.tsx')).PathView })),
}
