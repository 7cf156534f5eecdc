/** Views that only BIG TCP has. Public exports of this folder. */
export { PacketsView } from './packets/packets-view.tsx'
export { PathPanel } from './path/path-panel.tsx'
export { PublishedResults } from './published/published-results.tsx'
export { ReadingsTable } from './readings-table.tsx'
