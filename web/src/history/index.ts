/** Every run that was kept. What other rooms and the pages may use. */
export { RunsTable } from './runs-table.tsx'
