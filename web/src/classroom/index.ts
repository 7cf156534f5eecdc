export { AuditTable } from './audit-table.tsx'
export { Board } from './board.tsx'
export { WorkshopBar } from './mine/lazy.tsx'
