/** What a person would type for each step on a cluster with Cilium: kubectl and jq, and waits that believe no stale counter. */
import type { LabCommand } from '@expresslane/shared/labs/lab'
import type { Family } from '@expresslane/shared/measure/units'

function cluster(note: string, ...lines: string[]): LabCommand {
  return { on: 'kubernetes', note, text: lines.join('\n') }
}

const system = 'kubectl -n kube-system'
const lab = 'kubectl -n expresslane'
const netperf = '-l app.kubernetes.io/name=netperf'
const agents = '-l k8s-app=cilium'

/** Runs a command in every agent's pod: that is the node's own network. */
function onEveryNode(command: string): string[] {
  return [
    `for pod in $(${system} get pods ${agents} -o name); do`,
    `  ${system} exec "$pod" -c cilium-agent -- ${command}`,
    'done',
  ]
}

export function preflight(): LabCommand[] {
  return [
    cluster('Kernels and versions', 'kubectl version', 'kubectl get nodes -o wide'),
    cluster(
      'What Cilium was told, and what it does',
      `${system} get configmap cilium-config -o json | jq '.data | with_entries(select(.key | test("routing|masq|proxy-repl|ipv6|encrypt|ipsec|wireguard|datapath|big-tcp")))'`,
      ...onEveryNode("cilium-dbg status | grep -E 'Cilium:|Proxy|Routing|Masq|Encryption'"),
    ),
    cluster(
      'Both families for pods',
      `kubectl get nodes -o jsonpath='{range .items[*]}{.metadata.name}{"\\t"}{.spec.podCIDRs}{"\\n"}{end}'`,
    ),
  ]
}

export function readAgents(family: Family, configKey: string): LabCommand[] {
  return [
    cluster('What was intended', `${system} get configmap cilium-config -o jsonpath='{.data.${configKey}}{"\\n"}'`),
    cluster(
      'What each agent says; its JSON, for the text shows the IPv4 size for IPv6, too',
      ...onEveryNode(`cilium-dbg status -o json | jq -c '."${family}-big-tcp"'`),
    ),
  ]
}

export function readNodes(limits: string): LabCommand[] {
  return [
    cluster(
      "The nodes' devices. Not eth0 on your nodes? `cilium-dbg status` names the device at KubeProxyReplacement",
      ...onEveryNode(`ip -d -j link show dev eth0 | jq '.[0].${limits}'`),
    ),
  ]
}

export function readPods(limits: string): LabCommand[] {
  return [
    cluster(
      "The pods' devices",
      'for pod in netperf-client netperf-server; do',
      `  ${lab} exec "$pod" -- ip -d -j link show dev eth0 | jq '.[0].${limits}'`,
      'done',
    ),
  ]
}

/** Of what a lab's namespace may hold, the two pods alone. */
const removePods = `${lab} delete pod ${netperf} --ignore-not-found`

export function deploy(): LabCommand[] {
  return [
    cluster(
      'Fresh pods, from the manifest in the project; write your own image into it where yours has another name',
      removePods,
      'kubectl apply --server-side -f manifests/netperf.yaml',
      `${lab} wait --for=condition=Ready pod ${netperf} --timeout=2m`,
    ),
    cluster('Where they went, and why one does not start', `${lab} get pods ${netperf} -o wide`, `${lab} get events`),
  ]
}

export function measure(family: Family): LabCommand[] {
  const only = family === 'ipv4' ? 'grep -F .' : 'grep :'
  return [
    cluster(
      'One repeat',
      `address=$(${lab} get pod netperf-server -o jsonpath='{.status.podIPs[*].ip}' | tr ' ' '\\n' | ${only})`,
      `${lab} exec netperf-client -- netperf -H "$address" -t TCP_RR -l 10 -D 0.2 -P 0 -- -r 80000,80000 -k MIN_LATENCY,P50_LATENCY,P90_LATENCY,P99_LATENCY,THROUGHPUT`,
    ),
    cluster(
      'Packets and bare acknowledgements',
      `${lab} exec netperf-server -- ip -s link show dev eth0`,
      `${lab} exec netperf-server -- cat /proc/net/snmp /proc/net/netstat`,
    ),
  ]
}

/** `kubectl delete` returns when the old agents are gone; the DaemonSet's counters can look green before new ones are there. */
function change(configKey: string, value: boolean): string[] {
  const wanted = `${system} get daemonset cilium -o jsonpath='{.status.desiredNumberScheduled}'`
  return [
    `${system} patch configmap cilium-config --type merge -p '{"data":{"${configKey}":"${String(value)}"}}'`,
    `${system} delete pod ${agents}`,
    `until [ "$(${system} get pods ${agents} -o name | wc -l)" -ge "$(${wanted})" ]; do sleep 1; done`,
    `${system} wait --for=condition=Ready pod ${agents} --timeout=5m`,
  ]
}

export function enable(family: Family, configKey: string): LabCommand[] {
  return [
    cluster('The setting, new agents, and the wait for them', ...change(configKey, true)),
    cluster(
      'The same with the cilium CLI, which restarts the agents and does not wait by itself',
      `cilium config set ${configKey} true`,
      'cilium status --wait',
    ),
    ...readAgents(family, configKey),
  ]
}

export function restore(configKey: string): LabCommand[] {
  return [
    cluster(
      'No pods, and the setting as it was: false, if this lab switched it on',
      removePods,
      ...change(configKey, false),
    ),
  ]
}
