/** Views that only BIG TCP has. Public exports of this folder. */
import type { FeatureViews } from '../views.ts'
import { PacketsView } from './packets/packets-view.tsx'
import { PathView } from './path/path-view.tsx'
import { PublishedResults } from './published/published-results.tsx'

export const bigTcpViews: FeatureViews = { Path: PathView, Capture: PacketsView, Published: PublishedResults }
