/** The preflight's check of Cilium's own gateway between IPv4 and IPv6: labs never switch it, and it changes IPv4 here. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { warning } from '../../testbeds/check.ts'
import { isTrue } from '../../testbeds/cilium-key.ts'
import { byValue, GATEWAY_KEY, type ClusterView } from '../../testbeds/cluster-view.ts'

const id = 'nat46x64-gateway'
const SHOW =
  "kubectl -n kube-system exec ds/cilium -c cilium-agent -- cilium-dbg status --verbose | grep -A 4 'NAT46/64 Support'"

/** Nothing where neither the ConfigMap nor an agent has it, as on most clusters, or where no agent could be read. */
export function clusterChecks({ config, agents }: ClusterView): Check[] {
  if (agents.length === 0) return []
  const isAsked = isTrue(config[GATEWAY_KEY])
  const known = agents.flatMap(({ node, gateway }) => (gateway === null ? [] : [[node, gateway] as const]))
  const isOn = known.some(([, gateway]) => gateway !== 'Disabled')
  if (isOn) {
    const remedy =
      'Its nodes translate IPv4 packets that come from outside of the node and go neither to the node nor to a service. With native routing these include the packets between pods of different nodes, which then reach each other over IPv6 only (seen with Cilium 1.15). Measure over IPv6, or on a cluster without the gateway. Expresslane does not switch it.'
    return [warning(id, 'This cluster has the NAT46/64 gateway', byValue(known), { remedy, remedyCommand: SHOW })]
  }
  if (!isAsked) return []
  const now = known.length === 0 ? 'unknown' : byValue(known)
  return [
    warning(id, 'This cluster will have the NAT46/64 gateway', `cilium-config sets ${GATEWAY_KEY}; now: ${now}.`, {
      remedy:
        'The gateway comes with the next restart of an agent, and every switch of a lab restarts them. With native routing pods of different nodes then reach each other over IPv6 only. Remove the key if you do not want that.',
      remedyCommand: 'kubectl -n kube-system edit configmap cilium-config',
    }),
  ]
}
