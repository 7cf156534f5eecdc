import { i18n } from '@expresslane/shared/base/language'
import type { Placement } from '@expresslane/shared/testbed/placement'
import { roleName } from '@expresslane/shared/features/words'
import { Table } from '../components/table.tsx'
import { placementName } from '../words/format.ts'
import tables from '../components/tables.module.css'

/** The nodes and addresses of the pods. */
export function PlacementView({ placement }: { placement: Placement }) {
  return (
    <Table
      label={i18n.t('Pods')}
      caption={<caption>{i18n.t('Pods, {place}', { place: placementName(placement.variant) })}</caption>}
      columns={[
        i18n.t('Role'),
        { name: i18n.t('Pod'), look: tables.name },
        { name: i18n.t('Node'), look: tables.name },
        'CPU',
        { name: 'IPv4', look: 'mono' },
        { name: 'IPv6', look: 'mono' },
      ]}
      lines={placement.pods.map(({ role, name, node, addresses: { ipv4, ipv6 } }) => {
        const cpu = placement.cpus[role] ?? i18n.t('by the scheduler')
        return { key: role, cells: [roleName(role), name, node, cpu, ipv4 ?? i18n.t('none'), ipv6 ?? i18n.t('none')] }
      })}
    />
  )
}
