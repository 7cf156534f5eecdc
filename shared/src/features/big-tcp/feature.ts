/** BIG TCP: packets beyond 64 KiB inside a host. */
import { iperf3, tcpStream } from '../../measure/benchmarks/streams.ts'
import { tcpRr } from '../../measure/benchmarks/tcp-rr.ts'
import { CLIENT, SERVER } from '../../testbed/placement.ts'
import type { Feature } from '../feature.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { nameArm, phrase, rank, settings, unrecordedArms } from './settings.ts'

export const bigTcp = {
  id: 'big-tcp',
  name: 'BIG TCP',
  settings,
  capabilities: [
    { id: 'big-tcp-ipv4', name: 'BIG TCP over IPv4' },
    { id: 'big-tcp-ipv6', name: 'BIG TCP over IPv6' },
    { id: 'size-limit', name: 'setting the send limit' },
    { id: 'cpu-placement', name: 'choosing CPUs' },
    { id: 'pod-mtu', name: "setting the pods' MTU" },
  ],
  roles: [CLIENT, SERVER],
  metrics: [],
  benchmarks: [tcpRr, tcpStream, iperf3],
  proof,
  nameArm,
  phrase,
  presets,
  unrecordedArms,
  sweep: { noun: 'limit', rank },
} as const satisfies Feature
