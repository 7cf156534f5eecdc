/** Views that only BIG TCP has. Public exports of this folder. */
import type { FeatureViews, LightViews } from '../views.ts'
import { MessagePieces } from './packets/packet-charts.tsx'
import { PacketsView } from './packets/packets-view.tsx'
import { PathView } from './path/path-view.tsx'
import { PublishedResults } from './published/published-results.tsx'

export const bigTcpViews: FeatureViews = { Capture: PacketsView, Published: PublishedResults }
export const bigTcpLightViews: LightViews = { Path: PathView, Pieces: MessagePieces }
