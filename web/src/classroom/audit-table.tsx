import { i18n } from '@expresslane/shared/base/language'
import type { AuditEntry } from '@expresslane/shared/wire/board'
import { Table } from '../components/table.tsx'
import tables from '../components/tables.module.css'
import { formatTime } from '../words/format.ts'

/** The lines of the audit log: person, action, object, time and address; newest first. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Table
      label={i18n.t('Audit log')}
      headed={false}
      columns={[
        { name: i18n.t('Time'), look: 'numbers' },
        { name: i18n.t('Person'), look: tables.name },
        i18n.t('Role'),
        { name: i18n.t('Address'), look: 'mono' },
        { name: i18n.t('Action'), look: 'mono' },
        { name: i18n.t('Target'), look: tables.name },
        { name: i18n.t('Status'), number: true },
      ]}
      lines={entries.map(({ id, at, name, role, address, action, target, status }) => {
        const object = Object.entries(target).map(([key, value]) => `${key} ${value}`)
        return {
          key: id,
          cells: [formatTime(at), name, role ?? i18n.t('nobody'), address, action, object.join(', '), status],
        }
      })}
    />
  )
}
