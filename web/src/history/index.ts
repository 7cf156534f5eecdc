/** The history of runs. Public exports of this folder. */
export { DataNotices } from './data-notices.tsx'
export { StoreSize } from './store-size.tsx'
export { RunsTable } from './runs-table.tsx'
