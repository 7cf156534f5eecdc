/** The static viewer: recordings without a server. Public exports of this folder. */
import { lazy } from 'react'

export type { Wanted } from './address.ts'
export { shippedWithSite } from './shipped.ts'
export { StartPage } from './start-page.tsx'
export { createTab, openAddressed } from './tab.ts'
export { TimelineBar } from './timeline-bar.tsx'
export { useMeasured } from './use-measured.ts'
export { useRunLinks } from './use-run-links.ts'
export { TabContext } from './use-tab.ts'
export { ViewerFrame } from './viewer-frame.tsx'

/** Loaded with the first report. */
export const ReportPage = lazy(() => import('./report/report-page.tsx').then((page) => ({ default: page.ReportPage })))
