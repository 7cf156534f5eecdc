import { i18n } from '@expresslane/shared/base/language'
import { familyName, formatCount, type Bytes } from '@expresslane/shared/base/units'
import { groLimit, gsoLimit } from '@expresslane/shared/testbed/reading'
import type { DeviceColumns } from '../views.ts'

function exact(size: Bytes | null): string {
  return size === null ? i18n.t('unknown') : formatCount(size)
}

/** The sizes that decide how large a packet can get. */
export const deviceColumns: DeviceColumns = {
  title: /*i18n*/ 'Every device in bytes, as the kernel reports it',
  caption: (family) => i18n.t('What the kernel reports for {family}, in bytes', { family: familyName[family] }),
  columns: [
    { name: /*i18n*/ 'GSO limit', value: (device, family) => exact(gsoLimit(device, family)), number: true },
    { name: /*i18n*/ 'GRO limit', value: (device, family) => exact(groLimit(device, family)), number: true },
    { name: /*i18n*/ 'Largest possible', value: ({ tsoMaxSize }) => exact(tsoMaxSize), number: true },
    { name: 'MTU', value: ({ mtu }) => exact(mtu), number: true },
  ],
}
