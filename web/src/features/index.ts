/** The views of features. The other rooms name no feature: they pass its id. Public exports of this folder. */
export { DeviceTable } from './device-table.tsx'
export { PathPanel } from './path-panel.tsx'
export { CapturePieces, CaptureView } from './feature-views.tsx'
