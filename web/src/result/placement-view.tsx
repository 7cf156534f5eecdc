import type { Placement } from '@expresslane/shared/testbed/placement'
import { roleName } from '@expresslane/shared/features/words'
import { Table } from '../components/table.tsx'
import { placementName } from '../words/format.ts'
import tables from '../components/tables.module.css'

/** The nodes and addresses of the pods. */
export function PlacementView({ placement }: { placement: Placement }) {
  return (
    <Table
      label="Pods"
      caption={<caption>Pods, {placementName[placement.variant]}</caption>}
      columns={[
        'Role',
        { name: 'Pod', look: tables.name },
        { name: 'Node', look: tables.name },
        'CPU',
        { name: 'IPv4', look: 'mono' },
        { name: 'IPv6', look: 'mono' },
      ]}
      lines={placement.pods.map(({ role, name, node, addresses: { ipv4, ipv6 } }) => {
        const cpu = placement.cpus[role] ?? 'by the scheduler'
        return { key: role, cells: [roleName(role), name, node, cpu, ipv4 ?? 'none', ipv6 ?? 'none'] }
      })}
    />
  )
}
