/** The keys of Cilium's ConfigMap that switch its load balancer, and their effect on agents and devices. */
import { acceleration, ciliumXdp, lbMode } from '@expresslane/shared/features/nodeport-cluster/settings'
import { LabError } from '@expresslane/shared/base/errors'
import type { CiliumKey } from '../../testbeds/cilium-key.ts'

/**
 * Why Cilium's agents would not start with DSR, in their words; null if they would (`initKubeProxyReplacementOptions` in
 * daemon/cmd/kube_proxy_replacement.go of Cilium 1.15). DSR needs native routing or Geneve: VXLAN can't carry the address
 * that the backend's node answers with.
 */
export function dsrRefusal(data: Readonly<Record<string, string>>): string | null {
  // Before 1.14 one key had both.
  const [mode, old] = [data['routing-mode'], data['tunnel']]
  const tunnels = mode === undefined ? old !== 'disabled' : mode === 'tunnel'
  const protocol = data['tunnel-protocol'] ?? (old === 'geneve' ? old : 'vxlan')
  const dispatch = data['bpf-lb-dsr-dispatch'] ?? 'opt'
  if (tunnels && protocol === 'vxlan') return 'Node Port "dsr" mode cannot be used with vxlan tunneling.'
  if (tunnels && dispatch !== 'geneve') return 'Tunnel routing with Node Port "dsr" mode requires geneve dispatch.'
  if (dispatch === 'geneve' && protocol !== 'geneve') {
    return 'Node Port "dsr" mode with geneve dispatch requires geneve tunnel protocol.'
  }
  return dispatch === 'ipip' ? 'DSR dispatch mode ipip only supported for --datapath-mode=lb-only.' : null
}

function dsrError(refusal: string): LabError {
  return new LabError(
    'bad_request',
    `Cilium’s agents would not start with DSR on this cluster: ${refusal}`,
    'Leave the replies at SNAT, or use a cluster with native routing.',
  )
}

const accelerationKey: CiliumKey = {
  key: 'bpf-lb-acceleration',
  values: ['disabled', 'native'],
  words: (value) => `XDP acceleration ${value}`,
  reported: ({ acceleration: word }) => acceleration.safeParse(word?.toLowerCase()).data ?? null,
  // An XDP program that is not Cilium's counts for nothing.
  differs: (node, devices, value) => {
    const expected = value === 'native' ? 'native' : 'none'
    return devices.flatMap((link) => {
      const seen = ciliumXdp(link)
      if (seen === expected) return []
      return [`${node}/${link.device} XDP program of Cilium: expected ${expected}, seen ${seen}`]
    })
  },
  isCompiled: true,
}

const modeKey: CiliumKey = {
  key: 'bpf-lb-mode',
  values: ['snat', 'dsr'],
  words: (value) => `replies by ${value.toUpperCase()}`,
  reported: ({ mode: word }) => lbMode.safeParse(word?.toLowerCase()).data ?? null,
  // No device shows it.
  differs: () => [],
  isCompiled: true,
  refusal(value, data) {
    const refusal = value === 'dsr' ? dsrRefusal(data) : null
    return refusal === null ? null : dsrError(refusal)
  },
}

export const ciliumKeys: readonly CiliumKey[] = [accelerationKey, modeKey]
