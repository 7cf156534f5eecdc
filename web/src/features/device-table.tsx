import { i18n } from '@expresslane/shared/base/language'
import { formatCount, type Family } from '@expresslane/shared/base/units'
import { deviceKey, type DatapathState, type Link } from '@expresslane/shared/testbed/reading'
import { Card } from '../components/card.tsx'
import { Table } from '../components/table.tsx'
import tables from '../components/tables.module.css'
import { featureViews } from './registry.ts'
import type { DeviceColumns } from './views.ts'

function xdpWords({ xdp }: Link): string {
  return xdp === undefined ? i18n.t('none') : `${xdp.program}, ${xdp.mode}`
}

function packets(count: number | undefined): string {
  return count === undefined ? i18n.t('unknown') : formatCount(count)
}

/** The columns that every device has, whatever the feature. */
const plain: DeviceColumns = {
  title: /*i18n*/ 'Every device, as the kernel reports it',
  caption: () => i18n.t('What the kernel reports, with the packets since the device was made'),
  columns: [
    { name: /*i18n*/ 'XDP program', value: xdpWords },
    { name: 'MTU', value: ({ mtu }) => formatCount(mtu), number: true },
    { name: /*i18n*/ 'Packets in', value: ({ counters }) => packets(counters?.rxPackets), number: true },
    { name: /*i18n*/ 'Packets out', value: ({ counters }) => packets(counters?.txPackets), number: true },
  ],
}

interface DeviceTableProps {
  /** The lab's feature: it decides the table's columns; null if it is unknown. */
  feature: string | null
  datapath: DatapathState
  family: Family
}

/** Every device when the step read it, folded. */
export function DeviceTable({ feature, datapath, family }: DeviceTableProps) {
  const { title, caption, columns } = (feature === null ? undefined : featureViews[feature]?.devices) ?? plain
  return (
    <details>
      <summary>{i18n.t(title)}</summary>
      <Card>
        <Table
          label={i18n.t('Readings')}
          caption={<caption>{caption(family)}</caption>}
          columns={[
            { name: i18n.t('Where'), look: tables.name },
            { name: i18n.t('Device'), look: 'mono' },
            ...columns.map(({ name, number = false }) => ({ name: i18n.t(name), number })),
          ]}
          lines={datapath.kernel.map((device) => ({
            key: deviceKey(device),
            cells: [device.where, device.device, ...columns.map(({ value }) => value(device, family))],
          }))}
        />
      </Card>
    </details>
  )
}
