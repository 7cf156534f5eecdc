/** What only BIG TCP shows. What other rooms and the pages may use. */
export { PacketsView } from './packets/packets-view.tsx'
export { PathPanel } from './path/path-panel.tsx'
export { PublishedResults } from './published/published-results.tsx'
export { ReadingsTable } from './readings-table.tsx'
