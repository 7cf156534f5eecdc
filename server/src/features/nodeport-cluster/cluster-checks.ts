/** Checks of the needs of NodePorts on a cluster: a client outside, Cilium's load balancer, and wires that XDP can use. */
import type { Capability, Check } from '@expresslane/shared/testbed/testbed'
import { LabError } from '@expresslane/shared/base/errors'
import { failed, failedBy, passed, warning } from '../../testbeds/check.ts'
import { SET_IT } from '../../testbeds/cilium-key.ts'
import type { ClusterView, Wire } from '../../testbeds/cluster-view.ts'
import { dsrRefusal } from './cilium-keys.ts'

const ACCELERATION: Capability[] = ['lb-acceleration']
const MODE: Capability[] = ['lb-mode']

function clientCheck(client: string | LabError): Check {
  const id = 'outside-client'
  const title = 'The machine outside of the cluster has netperf'
  return client instanceof LabError
    ? failedBy(id, title, client, ['outside-client'])
    : passed(id, title, `netperf ${client}`)
}

function balancerCheck({ agents, config, unknownValue }: ClusterView): Check {
  const id = 'nodeport-acceleration'
  const title = 'Cilium forwards NodePorts, and XDP can be switched'
  const unknown = unknownValue('bpf-lb-acceleration')
  if (unknown !== null) return failed(id, title, unknown, { remedy: SET_IT }, ACCELERATION)
  const silent = agents.filter(({ acceleration }) => acceleration === null).map(({ node }) => node)
  if (silent.length === 0)
    return passed(id, title, `bpf-lb-acceleration is ${config['bpf-lb-acceleration'] ?? 'disabled'}.`)
  return failed(
    id,
    title,
    `Not on ${silent.join(', ')}.`,
    {
      remedy: 'Let Cilium replace kube-proxy, with NodePorts.',
      remedyCommand: 'helm -n kube-system upgrade cilium cilium/cilium --reuse-values --set kubeProxyReplacement=true',
    },
    ACCELERATION,
  )
}

/** The lab itself leaves the replies at SNAT, but its arms set it, so another value than the two blocks it, too. */
function modeCheck({ config, unknownValue }: ClusterView): Check {
  const id = 'nodeport-dsr'
  const title = 'The way of the replies can be switched to DSR'
  const unknown = unknownValue('bpf-lb-mode')
  if (unknown !== null) return failed(id, title, unknown, { remedy: SET_IT }, [...ACCELERATION, ...MODE])
  const refusal = dsrRefusal(config)
  if (refusal === null) return passed(id, title, `bpf-lb-mode is ${config['bpf-lb-mode'] ?? 'snat'}.`)
  const remedy = 'SNAT can still be measured. DSR needs native routing, or Geneve for tunnel and dispatch.'
  return failed(id, title, `Cilium’s agents would refuse it: ${refusal}`, { remedy }, MODE)
}

function nameOf({ node, device }: Wire): string {
  return `${node}/${device}`
}

/** XDP on a veth needs an XDP program at the other end, and whole checksums; a network card needs neither. */
function wireCheck(wires: readonly Wire[]): Check {
  const id = 'nodeport-wire'
  const title = 'The nodes’ devices hand on what XDP sends'
  if (wires.length === 0) return passed(id, title, 'None of them is a veth.')
  const bad = wires.filter(({ offloads }) => offloads !== null && (offloads.txChecksum || !offloads.noSegmentation))
  const fix = {
    remedy:
      'These devices are veths. With XDP a veth drops or holds back what it should send on, until its other end has an XDP program too, and until checksums are whole at both ends. Prepare the bridge between the nodes in its network namespace, switch tx checksum offload off on the nodes’ devices, and undo both after the lab: it costs TSO, and BIG TCP with it. docs/kubernetes.md has the commands.',
    remedyCommand: 'scripts/cluster/xdp-wire.py on',
  }
  if (bad.length > 0) return failed(id, title, `Not on ${bad.map(nameOf).join(', ')}.`, fix, ACCELERATION)
  const unknown = wires.filter(({ offloads }) => offloads === null)
  if (unknown.length > 0) return warning(id, title, `Unknown on ${unknown.map(nameOf).join(', ')}.`, fix)
  return passed(id, title, `Prepared: ${wires.map(nameOf).join(', ')}.`)
}

export function* clusterChecks(view: ClusterView): Generator<Check, void, void> {
  if (view.outside === null) return
  yield clientCheck(view.outside.client)
  yield balancerCheck(view)
  yield modeCheck(view)
  yield wireCheck(view.outside.wires)
}
