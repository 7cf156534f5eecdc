/** The history of runs. Public exports of this folder. */
export { linesOf } from './lines.ts'
export { DataNotices } from './data-notices.tsx'
export { StoreSize } from './store-size.tsx'
export { RunsTable } from './runs-table.tsx'
