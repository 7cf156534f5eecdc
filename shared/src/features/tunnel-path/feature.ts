/** A tunnel between the nodes, as in a cluster without routes for its pods, and big packets in it. */
import type { Design } from '../../measure/experiment.ts'
import { tcpStream } from '../../tools/netperf/tcp-stream.ts'
import { tcpRr } from '../../tools/netperf/tcp-rr.ts'
import { countedOnPath } from '../counted-packets.ts'
import type { Feature, Preset } from '../feature.ts'
import { about } from './about.ts'
import { MTU, roles } from './places.ts'
import { proof } from './proof.ts'
import { nameArm, phrase, settings, TUNNEL_KIND, TUNNEL_SIZE, type TunnelKind } from './settings.ts'

const arm = (kind: TunnelKind, size: number) => ({ [TUNNEL_KIND]: kind, [TUNNEL_SIZE]: size })
const design: Design = { order: 'auto', repeats: 8, seconds: 0.5, warmups: 1, budget: null }
const common = { tool: tcpRr.tool, families: ['ipv4'], sizes: '80k', design } as const
const presets: readonly Preset[] = [
  {
    ...common,
    name: /*i18n*/ 'What does a tunnel cost?',
    arms: [arm('none', 65_536), arm('vxlan', 65_536), arm('geneve', 65_536)],
  },
  {
    ...common,
    name: /*i18n*/ 'What does encryption cost?',
    sizes: '1, 80k',
    arms: [arm('none', 65_536), arm('none', MTU), arm('esp', 65_536), arm('wireguard', 65_536)],
  },
  { ...common, name: /*i18n*/ 'BIG TCP in a tunnel', arms: [arm('vxlan', 65_536), arm('vxlan', 196_608)] },
]

export const tunnels = {
  ...about,
  settings,
  roles,
  metrics: [
    countedOnPath({
      id: 'packetsBetweenNodes',
      what: /*i18n*/ 'packets between the nodes',
      short: /*i18n*/ 'Between nodes',
      column: 'packets_between_nodes',
      source: /*i18n*/ 'packets that the nodes received from the wire, before and after',
    }),
    countedOnPath({
      id: 'packetsInPlainText',
      what: /*i18n*/ 'packets between the nodes in plain text',
      short: /*i18n*/ 'In plain text',
      column: 'packets_in_plain_text',
      source:
        /*i18n*/ 'packets that the nodes received from the wire, without those that their WireGuard or ESP device decrypted',
    }),
  ],
  benchmarks: [tcpRr, tcpStream],
  proof,
  probes: [{ id: 'message', needs: ['capture'] }],
  // On the counted machine: both nodes, devices and tunnels.
  extraSeconds: (_settings, clock) => (clock === null ? 0 : 1.5),
  nameArm,
  phrase,
  presets,
  onYourCluster:
    /*i18n*/ 'Read `tso_max_size` of the tunnel’s device on a node: `ip -d link show type vxlan` (or `geneve`). At 65536 leave BIG TCP off in tunnel mode: Cilium before 1.19 refuses it, and packets would be cut. With native routing no tunnel is in the way.',
} as const satisfies Feature
