/** What a person would type for the steps of the experiment labs: loops over what `big-tcp-commands.ts` has for one. */
import type { StreamBenchmark } from '@expresslane/shared/measure/benchmarks/streams'
import type { LabCommand } from '@expresslane/shared/labs/lab'
import type { Family } from '@expresslane/shared/measure/units'

const SERVER: Readonly<Record<Family, string>> = { ipv4: '10.31.2.2', ipv6: 'fd00:31:2::2' }

function on(testbed: LabCommand['on'], note: string, ...lines: string[]): LabCommand {
  return { on: testbed, note, text: lines.join('\n') }
}

/** Both ends of both pods, in place: the same sizes that pods made anew would get. */
function setSizes(size: string): string[] {
  return [
    `  for n in 1 2; do`,
    `    ip -n node$n link set dev eth0 gso_ipv4_max_size ${size} gro_ipv4_max_size ${size}`,
    `    ip -n node$n link set dev lxc$n gso_ipv4_max_size ${size} gro_ipv4_max_size ${size}`,
    `    ip -n pod$n link set dev eth0 gso_ipv4_max_size ${size} gro_ipv4_max_size ${size}`,
    `  done`,
  ]
}

export function sweepByHand(limits: readonly number[], sizes: readonly number[]): LabCommand[] {
  return [
    on(
      'netns',
      'One round, with pods that are there; the lab makes them anew for each limit',
      `for limit in 65536 ${limits.join(' ')}; do`,
      ...setSizes('$limit'),
      `  for size in ${sizes.join(' ')}; do`,
      `    echo -n "$limit $size "`,
      `    ip netns exec pod1 netperf -H ${SERVER.ipv4} -t TCP_RR -l 1 -P 0 -- -r "$size,$size" -k THROUGHPUT`,
      '  done',
      'done',
    ),
  ]
}

type StreamTool = StreamBenchmark['tool']

const STREAM: Readonly<Record<StreamTool, string>> = {
  iperf3: 'iperf3 -c "$address" -t 5 -O 1 -i 1',
  'tcp-stream': 'netperf -H "$address" -t TCP_STREAM -l 5 -P 0 -- -k THROUGHPUT,LOCAL_TRANSPORT_RETRANS',
}

export function streamByHand(tool: StreamTool): LabCommand[] {
  return [
    on(
      'netns',
      'One run a family',
      ...(tool === 'iperf3' ? ['ip netns exec pod2 iperf3 -s -D'] : []),
      `for address in ${SERVER.ipv4} ${SERVER.ipv6}; do`,
      `  ip netns exec pod1 ${STREAM[tool]}`,
      'done',
    ),
  ]
}

export function streamOnCluster(tool: StreamTool): LabCommand[] {
  const lab = 'kubectl -n expresslane'
  return [
    on(
      'kubernetes',
      'One run a family, after the pods were made anew',
      ...(tool === 'iperf3' ? [`${lab} exec netperf-server -- iperf3 -s -D`] : []),
      `for address in $(${lab} get pod netperf-server -o jsonpath='{.status.podIPs[*].ip}'); do`,
      `  ${lab} exec netperf-client -- ${STREAM[tool]}`,
      'done',
    ),
  ]
}

export function jumboByHand(): LabCommand[] {
  return [
    on(
      'netns',
      'One MTU; the nodes and the wire have 100 bytes to spare for the headers that BIG TCP adds',
      'mtu=9000',
      'for port in port1 port2 br0; do ip -n bridge link set dev $port mtu $((mtu + 100)); done',
      'for n in 1 2; do',
      '  ip -n node$n link set dev eth0 mtu $((mtu + 100))',
      '  ip -n node$n link set dev lxc$n mtu $((mtu + 100))',
      '  ip -n pod$n link set dev eth0 mtu $mtu',
      'done',
      `ip netns exec pod1 netperf -H ${SERVER.ipv4} -t TCP_RR -l 1 -P 0 -- -r 80000,80000 -k THROUGHPUT`,
      `ip netns exec pod1 netperf -H ${SERVER.ipv4} -t TCP_STREAM -l 1 -P 0 -- -k THROUGHPUT`,
    ),
  ]
}

/** BIG TCP packets over IPv6 begin with a hop-by-hop header, so a filter on `tcp` misses them. */
const FILTER = 'and not port 12865'

export function captureByHand(family: Family): LabCommand[] {
  const address = SERVER[family]
  return [
    on(
      'netns',
      'Listen on the node, from a second terminal and as root: inside the testbed tcpdump could not give root up',
      `holder=$(pgrep -n -f '^unshare --user --map-root-user --net')`,
      `sudo nsenter -t "$holder" -m -n ip netns exec node1 tcpdump -i eth0 -nn -e -v -s 128 'host ${address} ${FILTER}'`,
    ),
    on(
      'netns',
      'Then send one request',
      `ip netns exec pod1 netperf -H ${address} -t TCP_RR -l -1 -P 0 -- -r 80000,80000`,
    ),
  ]
}

export function captureOnCluster(): LabCommand[] {
  const lab = 'kubectl -n expresslane'
  return [
    on(
      'kubernetes',
      "Listen in the client's node's own network, then send one request from another terminal",
      `node=$(${lab} get pod netperf-client -o jsonpath='{.spec.nodeName}')`,
      `address=$(${lab} get pod netperf-server -o jsonpath='{.status.podIPs[0].ip}')`,
      `kubectl debug "node/$node" -it --profile=netadmin --image=expresslane/netperf -- tcpdump -i eth0 -nn -e -v -s 128 "host $address ${FILTER}"`,
      `${lab} exec netperf-client -- netperf -H "$address" -t TCP_RR -l -1 -P 0 -- -r 80000,80000`,
    ),
  ]
}
