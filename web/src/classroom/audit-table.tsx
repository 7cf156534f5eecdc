import type { AuditEntry } from '@expresslane/shared/wire/board'
import { Table } from '../components/table.tsx'
import tables from '../components/tables.module.css'
import { formatTime } from '../words/format.ts'

/** The lines of the audit log: person, action, object, time and address; newest first. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Table
      label="Audit log"
      headed={false}
      columns={[
        { name: 'Time', look: 'numbers' },
        { name: 'Person', look: tables.name },
        'Role',
        { name: 'Address', look: 'mono' },
        { name: 'Action', look: 'mono' },
        { name: 'Target', look: tables.name },
        { name: 'Status', number: true },
      ]}
      lines={entries.map(({ id, at, name, role, address, action, target, status }) => {
        const object = Object.entries(target).map(([key, value]) => `${key} ${value}`)
        return { key: id, cells: [formatTime(at), name, role ?? 'nobody', address, action, object.join(', '), status] }
      })}
    />
  )
}
