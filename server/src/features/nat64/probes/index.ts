/** The probes of the feature, by id. */
import type { ProbeId } from '@expresslane/shared/features/nat64/probes'
import type { RunProbe } from '../../feature.ts'
import { largePackets } from './large-packets.ts'
import { names } from './names.ts'
import { ipv4Page, ipv6Page } from './pages.ts'

export const probes: Readonly<Record<ProbeId, RunProbe>> = {
  names,
  'ipv4-page': ipv4Page,
  'ipv6-page': ipv6Page,
  'large-packets': largePackets,
}
