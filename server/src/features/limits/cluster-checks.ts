/** The preflight's check of Cilium's Bandwidth Manager: labs measure a cluster with it as it is, and never switch it. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { warning } from '../../testbeds/check.ts'
import { isTrue } from '../../testbeds/cilium-key.ts'
import { byValue, type ClusterView } from '../../testbeds/cluster-view.ts'

const id = 'bandwidth-manager'
const KEYS = ['enable-bandwidth-manager', 'enable-bbr'] as const
const SHOW = "kubectl -n kube-system exec ds/cilium -c cilium-agent -- cilium-dbg status | grep 'BandwidthManager'"

/** Nothing where neither the ConfigMap nor an agent has it, as on most clusters, or where no agent could be read. */
export function clusterChecks({ config, agents }: ClusterView): Check[] {
  const known = agents.flatMap(({ node, bandwidthManager: one }) => (one === null ? [] : [[node, one] as const]))
  if (known.some(([, one]) => one !== 'Disabled')) {
    const remedy =
      'The packets of all pods leave their nodes through fq, at their departure times, and with BBR all pods send by BBR. Every arm is measured with it. Expresslane does not switch it: what it sets on the nodes stays when it is switched off.'
    return [warning(id, 'This cluster has the Bandwidth Manager', byValue(known), { remedy, remedyCommand: SHOW })]
  }
  if (known.length === 0 || !isTrue(config[KEYS[0]])) return []
  const asked = KEYS.filter((key) => isTrue(config[key])).join(' and ')
  return [
    warning(id, 'This cluster may get the Bandwidth Manager', `cilium-config sets ${asked}; now: ${byValue(known)}.`, {
      remedy:
        'An agent reads the keys when it starts, and every switch of a lab restarts the agents. It needs fq (sch_fq) in the node’s kernel: without fq it stops, or goes on without the manager, and its log says why. Remove the keys if you do not want it.',
      remedyCommand:
        "kubectl -n kube-system logs -l k8s-app=cilium -c cilium-agent --tail=-1 | grep -i 'bandwidth manager'",
    }),
  ]
}
