/** BIG TCP: packets beyond 64 KiB inside a host. */
import { iperf3 } from '../../tools/iperf3/iperf3.ts'
import { tcpStream } from '../../tools/netperf/tcp-stream.ts'
import { tcpRr } from '../../tools/netperf/tcp-rr.ts'
import { CLIENT, SERVER } from '../../testbed/placement.ts'
import type { Feature } from '../feature.ts'
import { about } from './about.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { published } from './published.ts'
import { nameArm, phrase, rank, settings, unrecordedArms } from './settings.ts'

export const bigTcp = {
  ...about,
  settings,
  roles: [CLIENT, SERVER],
  metrics: [],
  benchmarks: [tcpRr, tcpStream, iperf3],
  proof,
  nameArm,
  phrase,
  presets,
  published,
  unrecordedArms,
  sweep: { noun: 'limit', rank },
} as const satisfies Feature
