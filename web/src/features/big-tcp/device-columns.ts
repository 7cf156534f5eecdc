import { familyName, formatCount, type Bytes } from '@expresslane/shared/base/units'
import { groLimit, gsoLimit } from '@expresslane/shared/testbed/reading'
import type { DeviceColumns } from '../views.ts'

function exact(size: Bytes | null): string {
  return size === null ? 'unknown' : formatCount(size)
}

/** The sizes that decide how large a packet can get. */
export const deviceColumns: DeviceColumns = {
  title: 'Every device in bytes, as the kernel reports it',
  caption: (family) => `What the kernel reports for ${familyName[family]}, in bytes`,
  columns: [
    { name: 'GSO limit', value: (device, family) => exact(gsoLimit(device, family)), number: true },
    { name: 'GRO limit', value: (device, family) => exact(groLimit(device, family)), number: true },
    { name: 'Largest possible', value: ({ tsoMaxSize }) => exact(tsoMaxSize), number: true },
    { name: 'MTU', value: ({ mtu }) => exact(mtu), number: true },
  ],
}
