/** Refuses what Cilium would refuse, before anything is changed. Pure. */
import type { V1ConfigMap } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/wire/errors'
import { choices, SETTING_KEYS, type Choice, type StoredSettings } from '../datapath/settings.ts'
import type { Change } from '../datapath/taken.ts'

/** The values that can be switched, within a sentence. */
const switched: Readonly<Record<Choice, string>> = { acceleration: 'disabled and native', mode: 'snat and dsr' }

/** What to do where another value is set. */
export const SET_IT = 'Set it to one of these yourself, or use another cluster.'

/** Why a value that is set now is not switched; null if it can be. */
export function unknownChoice(
  knob: Choice,
  { intended, raw }: Pick<StoredSettings, 'intended' | 'raw'>,
): string | null {
  if (intended[knob] !== null) return null
  return `cilium-config sets ${SETTING_KEYS[knob]} to ${raw[knob] ?? 'nothing'}; only ${switched[knob]} can be switched.`
}

/**
 * Why Cilium's agents would not start with DSR, in their words; null if they would (`initKubeProxyReplacementOptions` in
 * daemon/cmd/kube_proxy_replacement.go of Cilium 1.15). DSR needs native routing or Geneve: VXLAN can't carry the address
 * that the backend's node answers with.
 */
export function dsrRefusal({ data = {} }: Pick<V1ConfigMap, 'data'>): string | null {
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

/** @throws LabError `bad_request` where a value of now is not switched, or Cilium's agents would refuse the new one */
export function requireSwitchable(change: Change, settings: StoredSettings): void {
  for (const knob of choices) {
    const unknown = change[knob] === undefined ? null : unknownChoice(knob, settings)
    if (unknown !== null) {
      throw new LabError('bad_request', unknown, SET_IT)
    }
  }
  const refusal = change.mode === 'dsr' ? dsrRefusal(settings.map) : null
  if (refusal !== null) {
    throw new LabError(
      'bad_request',
      `Cilium’s agents would not start with DSR on this cluster: ${refusal}`,
      'Leave the replies at SNAT, or use a cluster with native routing.',
    )
  }
}
