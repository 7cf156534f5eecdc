/**
 * What a person would type for each step on netns, to copy: inside the testbed's namespaces, into which
 * {@link enter} leads; the output of each run shows the very commands that ran.
 */
import type { LabCommand } from '@expresslane/shared/labs/lab'
import type { Family } from '@expresslane/shared/measure/units'

function netns(note: string, ...lines: string[]): LabCommand {
  return { on: 'netns', note, text: lines.join('\n') }
}

/** The newest holder's namespaces, by the process that keeps them: only there the names below exist. */
export const enter = netns(
  'First, on this machine and as the user who runs Expresslane: into the namespaces of the testbed',
  `nsenter -t "$(pgrep -n -f '^unshare --user --map-root-user --net')" -U -m -n --preserve-credentials bash`,
)

export function preflight(): LabCommand[] {
  return [
    netns(
      'Versions and limits',
      'uname -r',
      'ip -V',
      'netperf -V',
      'unshare --user --map-root-user true && echo permitted',
    ),
  ]
}

export function readNodes(limits: string): LabCommand[] {
  return [
    netns(
      "The nodes' devices",
      `ip -n node1 -d -j link show dev eth0 | jq '.[0].${limits}'`,
      `ip -n node2 -d -j link show dev eth0 | jq '.[0].${limits}'`,
    ),
  ]
}

export function readPods(limits: string): LabCommand[] {
  return [
    netns(
      "The pods' devices",
      `ip -n pod1 -d -j link show dev eth0 | jq '.[0].${limits}'`,
      `ip -n pod2 -d -j link show dev eth0 | jq '.[0].${limits}'`,
    ),
  ]
}

function removePod(n: 1 | 2): string[] {
  return [`ip netns pids pod${n} | xargs -r kill`, `ip -n node${n} link del lxc${n}`, `ip netns del pod${n}`]
}

/** In short, for one pod; new devices begin at 64 KiB, so whoever makes a pod gives it its node's size. */
export function deploy(family: Family, limits: string): LabCommand[] {
  const attributes = sizes(family, '$size')
  return [
    netns(
      "One pod, with its node's size, and the server; the output shows addresses and routes too",
      ...removePod(2),
      `size=$(ip -n node2 -d -j link show dev eth0 | jq '.[0].${limits}')`,
      'ip netns add pod2',
      'ip -n node2 link add lxc2 mtu 1600 type veth peer name eth0 mtu 1500 netns pod2',
      `ip -n node2 link set dev lxc2 ${attributes} up`,
      `ip -n pod2 link set dev eth0 ${attributes} up`,
      'ip netns exec pod2 netserver',
    ),
  ]
}

export function measure(address: string): LabCommand[] {
  return [
    netns(
      'One repeat',
      `ip netns exec pod1 netperf -H ${address} -t TCP_RR -l 10 -D 0.2 -P 0 -- -r 80000,80000 -k MIN_LATENCY,P50_LATENCY,P90_LATENCY,P99_LATENCY,THROUGHPUT`,
    ),
    netns(
      'Packets and bare acknowledgements',
      'ip -n pod2 -s link show dev eth0',
      'ip netns exec pod2 cat /proc/net/snmp /proc/net/netstat',
    ),
  ]
}

function sizes(family: Family, size: string): string {
  return family === 'ipv4'
    ? `gso_ipv4_max_size ${size} gro_ipv4_max_size ${size}`
    : `gso_max_size ${size} gro_max_size ${size}`
}

export function enable(family: Family): LabCommand[] {
  return [
    netns(
      'The nodes, up to what their devices allow',
      "size=$(ip -n node1 -d -j link show dev eth0 | jq '[.[0].tso_max_size, 196608] | min')",
      `ip -n node1 link set dev eth0 ${sizes(family, '$size')}`,
      `ip -n node2 link set dev eth0 ${sizes(family, '$size')}`,
    ),
  ]
}

export function restore(family: Family): LabCommand[] {
  return [
    netns(
      'Back to 64 KiB, and no pods. Writing gso_max_size 65536 or less also resets gso_ipv4_max_size',
      `ip -n node1 link set dev eth0 ${sizes(family, '65536')}`,
      `ip -n node2 link set dev eth0 ${sizes(family, '65536')}`,
      ...removePod(1),
      ...removePod(2),
    ),
  ]
}
