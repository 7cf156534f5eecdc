/** Views that only translation between IPv4 and IPv6 has. Public exports of this folder. */
import { lazy } from 'react'
import type { LightViews } from '../views.ts'

export const nat64LightViews: LightViews = {
  Path: lazy(async () => ({ default: (await import('./path/path-view.tsx')).PathView })),
}
