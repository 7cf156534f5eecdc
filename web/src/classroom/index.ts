export { AuditTable } from './audit-table.tsx'
export { Board } from './board.tsx'
