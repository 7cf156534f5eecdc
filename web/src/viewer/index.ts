/** The static viewer: recordings without a server. Public exports of this folder. */
export type { Wanted } from './address.ts'
export { shippedWithSite } from './shipped.ts'
export { StartPage } from './start-page.tsx'
export { createTab, openAddressed } from './tab.ts'
export { TimelineBar } from './timeline-bar.tsx'
export { TabContext } from './use-tab.ts'
export { ViewerFrame } from './viewer-frame.tsx'
