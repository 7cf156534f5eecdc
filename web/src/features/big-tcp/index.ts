/** Views that only BIG TCP has. Public exports of this folder. */
import { lazy } from 'react'
import type { FeatureViews, LightViews } from '../views.ts'
import { deviceColumns } from './device-columns.ts'
import { PacketsView } from './packets/packets-view.tsx'
import { PublishedResults } from './published/published-results.tsx'

export const bigTcpViews: FeatureViews = {
  devices: deviceColumns,
  Capture: PacketsView,
  Published: PublishedResults,
}
export const bigTcpLightViews: LightViews = {
  Path: lazy(async () => ({ default: (await import('./path/path-view.tsx')).PathView })),
  Pieces: lazy(async () => ({ default: (await import('./packets/packet-charts.tsx')).MessagePieces })),
}
