import type { AuditEntry } from '@expresslane/shared/wire/board'
import tables from '../components/tables.module.css'
import { formatTime } from '../words/format.ts'

/** The lines of the audit log: person, action, object, time and address; newest first. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <div className={tables.scroll} role="region" aria-label="Audit log" tabIndex={0}>
      <table className={tables.table}>
        <thead>
          <tr>
            {['Time', 'Person', 'Role', 'Address', 'Action', 'Target'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col" className={tables.number}>
              Status
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ id, at, name, role, address, action, target, status }) => (
            <tr key={id}>
              <td className="numbers">{formatTime(at)}</td>
              <td className={tables.name}>{name}</td>
              <td>{role ?? 'nobody'}</td>
              <td className="mono">{address}</td>
              <td className="mono">{action}</td>
              <td className={tables.name}>
                {Object.entries(target)
                  .map(([key, value]) => `${key} ${value}`)
                  .join(', ')}
              </td>
              <td className={tables.number}>{status}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
