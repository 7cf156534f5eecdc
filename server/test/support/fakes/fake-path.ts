/** The fake testbed's path: sizes of its devices, and packets that cross it. */
import { expectedPackets } from '@expresslane/shared/features/big-tcp/payload'
import { bigTcpSize } from '@expresslane/shared/features/big-tcp/size'
import { gsoLimit, LEGACY_MAX_SIZE, reading, type PlaceRole, type Reading } from '@expresslane/shared/testbed/reading'
import { isOn, limitOf, mtuOf } from '@expresslane/shared/features/big-tcp/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import { bytes, type Bytes, type Family } from '@expresslane/shared/base/units'
import { CLIENT, SERVER, type Role } from '@expresslane/shared/testbed/placement'

const POD_MTU = bytes.parse(1500)
const TSO_MAX = 524_280

interface PodCounts {
  rx: number
  segments: number
  data: number
}

function device(where: string, name: string, role: PlaceRole, native: boolean): Reading {
  const size = role === 'wire' ? TSO_MAX : LEGACY_MAX_SIZE
  return reading.parse({
    where,
    role,
    native,
    device: name,
    mtu: POD_MTU,
    gsoMaxSize: size,
    groMaxSize: size,
    gsoIpv4MaxSize: size,
    groIpv4MaxSize: size,
    tsoMaxSize: TSO_MAX,
    counters: null,
  })
}

export function createFakePath() {
  let nodes = [device('node1', 'eth0', 'node', true), device('bridge', 'br0', 'wire', false)]
  nodes = [...nodes, device('node2', 'eth0', 'node', true)]
  let pods: Reading[] = []
  const counts = new Map<Role, PodCounts>([
    [CLIENT, { rx: 0, segments: 0, data: 0 }],
    [SERVER, { rx: 0, segments: 0, data: 0 }],
  ])
  const countsOf = (role: Role): PodCounts => counts.get(role) ?? { rx: 0, segments: 0, data: 0 }

  function sized(one: Reading, settings: Settings): Reading {
    const size = (of: Family): Bytes =>
      isOn(settings, of) ? (limitOf(settings) ?? bigTcpSize(nodes) ?? LEGACY_MAX_SIZE) : LEGACY_MAX_SIZE
    const [four, six] = [size('ipv4'), size('ipv6')]
    const sizes = { gsoMaxSize: six, groMaxSize: six, gsoIpv4MaxSize: four, groIpv4MaxSize: four }
    return { ...one, ...sizes, mtu: mtuOf(settings) ?? POD_MTU }
  }

  return {
    /** All devices from client to server. */
    devices: (): Reading[] => [...pods.slice(0, 1), ...nodes, ...pods.slice(1)],
    switchNodes(setting: Settings): void {
      nodes = nodes.map((one) => (one.native ? sized(one, setting) : one))
    },
    makePods(setting: Settings): void {
      pods = ['pod1', 'pod2'].map((where) => sized(device(where, 'eth0', 'pod', false), setting))
    },
    removePods(): void {
      pods = []
    },
    /** A number of requests and responses, each with one bare acknowledgement. */
    transact(transactions: number, size: Bytes, family: Family): void {
      const limit = pods[0] === undefined ? null : gsoLimit(pods[0], family)
      const packets = expectedPackets(size, limit ?? LEGACY_MAX_SIZE, pods[0]?.mtu ?? POD_MTU, family)
      for (const pod of counts.values()) {
        pod.rx += transactions * (packets + 1)
        pod.data += transactions * packets
        pod.segments += transactions * (packets + 1)
      }
    },
    /** As `ip -d -s -j link show dev eth0` prints it. */
    link(role: Role): string {
      const one = { packets: countsOf(role).rx, bytes: 0 }
      return JSON.stringify([{ ifname: 'eth0', mtu: pods[0]?.mtu ?? POD_MTU, stats64: { rx: one, tx: one } }])
    },
    /** As `/proc/net/snmp` and `/proc/net/netstat` report it. */
    tcpCounters(role: Role): string[] {
      const { segments, data } = countsOf(role)
      return ['Tcp: OutSegs RetransSegs', `Tcp: ${segments} 0`, 'TcpExt: TCPOrigDataSent', `TcpExt: ${data}`]
    },
  }
}
