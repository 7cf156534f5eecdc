/** See the packets: capture one request on a node's device, and look at the super-packets themselves. */
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { bytes, familyName, type Family } from '@expresslane/shared/measure/units'
import * as onCluster from './big-tcp-cluster-commands.ts'
import * as onNetns from './big-tcp-commands.ts'
import { captureByHand, captureOnCluster } from './experiment-commands.ts'
import { act, bothFamilies, preflightStep, read, restoreStep } from './steps.ts'

const MESSAGE = bytes.parse(80_000)

const before: Readonly<Record<Family, string>> = {
  ipv4: `One request of 80,000 bytes, and its answer, seen on the client's node where packets leave it. With the limit at 64 KiB
it takes **two packets**: 65,160 bytes, which is 45 segments, and the rest of 14,840.`,
  ipv6: `The same over IPv6. Its header is 20 bytes larger, so one segment less fits: **64,260 and 15,740 bytes**.`,
}

const after: Readonly<Record<Family, string>> = {
  ipv4: `Now with BIG TCP: **one packet of 80,000 bytes.** No IPv4 header can say that: its *total length* has 16 bits. Look at the
header: the field is **0**, and the kernel takes the length from its own buffer.`,
  ipv6: `One packet again. Look at the header: the payload length is **0**, and behind it stands a **hop-by-hop header** with the
jumbo payload option (RFC 2675): type 194, length 4, and the real length in 32 bits.`,
}

function captureStep(family: Family, arm: 'off' | 'on'): Step {
  const side = arm === 'on' ? 'with' : 'without'
  const configKey = `enable-${family}-big-tcp`
  return act(
    `${family}-${arm}`,
    `${familyName[family]} ${side} BIG TCP`,
    (arm === 'on' ? after : before)[family],
    { kind: 'capture', arm, family, requestBytes: MESSAGE, responseBytes: MESSAGE },
    'Capture',
    {
      commands: [
        onNetns.enter,
        ...(arm === 'on' ? onNetns.enable(family) : []),
        ...onNetns.deploy(family, family === 'ipv4' ? 'gso_ipv4_max_size' : 'gso_max_size'),
        ...captureByHand(family),
        ...(arm === 'on' ? onCluster.enable(family, configKey) : []),
        ...onCluster.deploy(),
        ...captureOnCluster(),
      ],
      hint: 'Other packets than expected? Read the sizes of every device on the path; one hop at 64 KiB cuts them all. Then capture again.',
    },
  )
}

export const seeThePackets: Lab = {
  id: 'see-the-packets',
  title: 'See the packets',
  question: 'What does a packet beyond 64 KiB look like?',
  summary: 'One request captured on a node: two packets become one, and the headers tell how that is possible.',
  feature: 'big-tcp',
  families: ['ipv4', 'ipv6'],
  arms: [...bothFamilies],
  listed: true,
  minutes: 4,
  needs: ['big-tcp-ipv4', 'big-tcp-ipv6', 'capture'],
  steps: [
    read(
      'why',
      'Seeing is believing',
      `The other labs prove BIG TCP by counting packets. Here you see them: \`tcpdump\` listens on a node's device while a single
request and its response pass, and their headers are taken apart.

Nothing is measured here. Listening costs time for every packet, so it must never happen inside a measurement.`,
    ),
    preflightStep(`Can it be done here? This lab needs tcpdump, and the permission to listen on a node's device.`),
    captureStep('ipv4', 'off'),
    captureStep('ipv4', 'on'),
    captureStep('ipv6', 'off'),
    captureStep('ipv6', 'on'),
    read(
      'where-it-ends',
      'Where the big packets end',
      `Packets of this size exist **inside a host only**. The network card, or the last step before the wire, cuts them into
ordinary segments; IPv6's extra header is taken off before that. On this testbed, and on nodes that are containers of one
machine, the "wire" is a bridge in the same kernel, so they pass it whole. A capture tool from before BIG TCP may call
such a packet broken: an IPv4 length of 0 was an error until then.`,
    ),
    restoreStep('ipv4', ['enable-ipv4-big-tcp', 'enable-ipv6-big-tcp']),
  ],
}
