/** What features show. The other rooms name no feature: they pass its id. Public exports of this folder. */
export { CapturePieces, CaptureView } from './capture-view.tsx'
export { DeviceTable } from './device-table.tsx'
export { PathPanel } from './path-panel.tsx'
export { PublishedResults, PublishedRun } from './published-results.tsx'
