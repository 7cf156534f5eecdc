export { AuditTable } from './audit-table.tsx'
export { Board } from './board.tsx'
export { ParticipantBar } from './mine/lazy.tsx'
