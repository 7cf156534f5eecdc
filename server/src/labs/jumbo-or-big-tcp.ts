/** Jumbo frames or BIG TCP? MTU crossed with BIG TCP: four arms. */
import type { ArmPlan, TestCase } from '@expresslane/shared/measure/experiment'
import type { Lab } from '@expresslane/shared/labs/lab'
import { bytes } from '@expresslane/shared/measure/units'
import * as onNetns from './big-tcp-commands.ts'
import { jumboByHand } from './experiment-commands.ts'
import { act, preflightStep, read, restoreStep } from './steps.ts'

function armOf(mtu: 1_500 | 9_000, bigTcp: boolean): ArmPlan {
  return {
    id: `mtu${mtu}-${bigTcp ? 'on' : 'off'}`,
    label: `MTU ${mtu}, BIG TCP ${bigTcp ? 'on' : 'off'}`,
    settings: { 'big-tcp-ipv4': bigTcp, 'pod-mtu': mtu },
  }
}

const arms = [armOf(1_500, false), armOf(1_500, true), armOf(9_000, false), armOf(9_000, true)]

const MESSAGE = bytes.parse(80_000)

const cases: TestCase[] = [
  {
    id: 'rr',
    label: '80 kB requests',
    family: 'ipv4',
    benchmark: { tool: 'tcp-rr', requestBytes: MESSAGE, responseBytes: MESSAGE },
  },
  {
    id: 'stream',
    label: 'One stream',
    family: 'ipv4',
    benchmark: { tool: 'tcp-stream', omitSeconds: 0, intervalSeconds: 1 },
  },
]

export const jumboOrBigTcp: Lab = {
  id: 'jumbo-or-big-tcp',
  title: 'Jumbo frames or BIG TCP?',
  question: 'Which of the two is worth more, and do they add up?',
  summary: 'MTU 1500 or 9000, crossed with BIG TCP off or on: four arms in one chart, and what each costs to roll out.',
  feature: 'big-tcp',
  families: ['ipv4'],
  arms,
  listed: true,
  minutes: 5,
  needs: ['big-tcp-ipv4', 'pod-mtu'],
  steps: [
    read(
      'why',
      'Two ways to fewer packets',
      `**Jumbo frames** make the packets on the wire larger: an MTU of 9,000 bytes instead of 1,500, six times fewer of them.
**BIG TCP** makes the packets *inside* the host larger and leaves the wire alone. Both save work for each packet, at
different places. Do you need both, or does one make the other superfluous?`,
    ),
    preflightStep(`Can it be done here? The MTU of pods, nodes and wire must be free to set: on this machine's own path it is. On a cluster it
belongs to the network that the nodes are in.`),
    act(
      'four-arms',
      'Four arms',
      `MTU 1500 and 9000, each without BIG TCP and with it. The arms take turns, forwards and backwards. At every turn the
nodes and the wire get the MTU, the pods are made anew, and every device is read before anything is measured: requests of
80,000 bytes, and one stream.`,
      {
        kind: 'experiment',
        plan: {
          arms,
          cases,
          design: { order: 'auto', repeats: 6, seconds: 1, warmups: 1, budget: null },
        },
        repeats: { default: 6, min: 1, max: 20 },
        seconds: { default: 1, min: 1, max: 30 },
      },
      'Measure',
      {
        commands: [onNetns.enter, ...jumboByHand()],
        hint: 'Look at which arm took other packets than expected; keep everything else quiet, and measure again.',
      },
    ),
    read(
      'what-it-costs',
      'What each costs to roll out',
      `**Jumbo frames**

- Every device on the way must agree: nodes, switches, routers, VPNs, the peer. One that does not drops packets, or cuts them.
- Clouds differ in what they allow; paths to the outside stay at 1,500.
- Path MTU discovery must work, so ICMP must not be filtered.
- To go back is as much work as to roll out.

**BIG TCP**

- A kernel (6.3 for IPv4, 5.19 for IPv6), network cards with a large enough \`tso_max_size\`, and on a cluster Cilium without tunnel and encryption.
- A restart of the agents, and of the pods that should profit. The wire does not change, nor does anybody outside.
- Tools that read packets inside the host must know it: an IPv4 length of 0 is no error any more.

Look at the chart again with that in mind: what does the second of the two still add once you have the first?`,
    ),
    restoreStep('ipv4', ['enable-ipv4-big-tcp']),
  ],
}
