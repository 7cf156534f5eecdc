/** The keys of Cilium's ConfigMap in the tests of a cluster, by short names. */
import type { V1ConfigMap } from '@kubernetes/client-node'
import { ciliumKeys } from '../../../src/features/registry.ts'
import type { KeyValues } from '../../../src/testbeds/cilium-key.ts'
import { toSettings, type StoredSettings } from '../../../src/testbeds/kubernetes/datapath/settings.ts'

interface Named {
  readonly ipv4?: boolean
  readonly ipv6?: boolean
  readonly acceleration?: string
  readonly mode?: string
}

export const IPV4 = 'enable-ipv4-big-tcp'
export const IPV6 = 'enable-ipv6-big-tcp'

/** Values by key. */
export function keyed({ ipv4, ipv6, acceleration, mode }: Named): KeyValues {
  return {
    ...(ipv4 === undefined ? {} : { [IPV4]: `${ipv4}` }),
    ...(ipv6 === undefined ? {} : { [IPV6]: `${ipv6}` }),
    ...(acceleration === undefined ? {} : { 'bpf-lb-acceleration': acceleration }),
    ...(mode === undefined ? {} : { 'bpf-lb-mode': mode }),
  }
}

export function stored(map: V1ConfigMap): StoredSettings {
  return toSettings(map, ciliumKeys())
}
