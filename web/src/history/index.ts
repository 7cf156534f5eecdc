/** The history of runs. Public exports of this folder. */
export { RunsTable } from './runs-table.tsx'
