/** The walk that both BIG TCP labs share; a family's own content comes in as data. */
import type { Action, Lab, LabCommand, Step } from '@expresslane/shared/labs/lab'
import { bytes, familyName, type Family } from '@expresslane/shared/measure/units'
import * as onCluster from './big-tcp-cluster-commands.ts'
import * as onNetns from './big-tcp-commands.ts'
import { act, preflightStep, read, restoreStep } from './steps.ts'

export interface FamilyContent {
  readonly family: Family
  readonly summary: string
  /** Why a packet of this family ended at 64 KiB, and how BIG TCP gets beyond. */
  readonly why64k: string
  /** The attribute of `ip -d link` that holds the family's send limit. */
  readonly limits: string
  /** The server pod's address on the netns testbed, for the commands by hand. */
  readonly addressOf: string
  /** Cilium's key for the family. */
  readonly configKey: string
}

/** Large enough to need two packets at 64 KiB and one beyond; the classic lab's size. */
const MESSAGE = bytes.parse(80_000)

function measureAction(family: Family, arm: 'off' | 'on'): Action {
  return {
    kind: 'measure',
    arm,
    case: {
      id: 'rr',
      label: '80 kB requests',
      family,
      benchmark: { tool: 'tcp-rr', requestBytes: MESSAGE, responseBytes: MESSAGE },
    },
    // A verdict needs four runs a side; six of 5 s say more than three of 10 s, in the same time.
    repeats: { default: 6, min: 1, max: 20 },
    seconds: { default: 5, min: 1, max: 120 },
  }
}

function readAll(limits: string): LabCommand[] {
  return [
    onNetns.enter,
    ...onNetns.readNodes(limits),
    ...onNetns.readPods(limits),
    ...onCluster.readNodes(limits),
    ...onCluster.readPods(limits),
  ]
}

/** Steps 1 to 6: understand, check, deploy, and measure without BIG TCP. */
function before(content: FamilyContent): Step[] {
  const { family, limits } = content
  const name = familyName[family]
  return [
    read(
      'why',
      'Why bigger packets?',
      `At 100 Gbit/s with packets of 1,500 bytes a machine handles **8 million packets a second**: 120 ns for each,
about the time of one cache miss. So the kernel handles fewer, larger ones. **GSO** hands a big packet down the
stack and cuts it up as late as possible; **GRO** glues arriving segments together as early as possible. Every
layer in between (routing, filters, the bridge, a pod's veth) then works once per *big* packet.

How big? Until recently 64 KiB at the most. ${content.why64k}

This lab measures what that is worth **where you run it**: on this machine's own kernel, or on a cluster. Nothing is
promised: you will see what was measured, also when it is worse.`,
    ),
    preflightStep(`Can it be done here? BIG TCP over ${name} needs Linux ${family === 'ipv4' ? '6.3' : '5.19'} or newer, an \`ip\` that can show the limits,
and netperf to measure with. On a cluster **Cilium** must carry the packets by eBPF alone, unencrypted and outside any
tunnel, and two nodes must take pods. Each check tells what it saw.`),
    act(
      'verify-off',
      'Verify that BIG TCP is off',
      `A baseline is only one if BIG TCP is really off. There are layers of truth: what was **intended**, what an
**agent** says where there is one, and what the **kernel** does. Only the kernel's answer moves packets, so all
of them are read and compared.`,
      { kind: 'verify', arm: 'off' },
      'Verify',
      {
        commands: [
          onNetns.enter,
          ...onNetns.readNodes(limits),
          ...onCluster.readAgents(family, content.configKey),
          ...onCluster.readNodes(limits),
        ],
        hint: 'BIG TCP is on already. Press "Switch it off first", or Reset to put back what was there before.',
      },
    ),
    act(
      'deploy',
      'Deploy netperf',
      `Two pods, by default on **different nodes**: the client, and the server with \`netserver\` listening on port 12865.
Their requests cross both nodes and what lies between them, and every hop costs a little for each packet.`,
      { kind: 'deploy', arm: 'off' },
      'Deploy',
      {
        commands: [onNetns.enter, ...onNetns.deploy(family, limits), ...onCluster.deploy()],
        hint: 'Make sure that preflight passes and that BIG TCP is verified off, then deploy again.',
      },
    ),
    act(
      'read-off',
      'Read the sizes',
      `\`gso_ipv4_max_size\` is the limit for IPv4 and \`gso_max_size\` the one for **IPv6 only**, whatever its name
suggests. This lab is about ${name}, so \`${limits}\` counts. On nodes and pods it should be 65536 now, the limit
from before BIG TCP.`,
      { kind: 'read', nodes: 'off', pods: 'off' },
      'Read',
      {
        commands: readAll(limits),
        hint: 'A device with another size was changed before: press Reset, then Solve up to here.',
      },
    ),
    act(
      'baseline',
      'Baseline',
      `netperf's **TCP_RR**: the client sends 80,000 bytes, the server answers with 80,000, and so on, one at a time. That
shows *latency*: transactions a second are its inverse. With the limit at 64 KiB each 80,000 bytes need **two
packets**; the pods' own counters prove it, at no cost to the measurement.`,
      measureAction(family, 'off'),
      'Measure',
      {
        commands: [onNetns.enter, ...onNetns.measure(content.addressOf), ...onCluster.measure(family)],
        hint: 'The counters do not show what 64 KiB packets would: read the sizes again, and keep everything else quiet while measuring.',
      },
    ),
  ]
}

/** Steps 7 to 12: switch it on, prove that it took, measure again, compare, put back. */
function after(content: FamilyContent): Step[] {
  const { family, limits } = content
  const name = familyName[family]
  return [
    act(
      'enable',
      'Switch BIG TCP on',
      `The new limit is not a fixed number: it is the **smallest \`tso_max_size\`** among the nodes' devices, and at most
196,608. It is set on the nodes' devices for ${name} alone, and read back from the kernel. On a cluster Cilium sets it
when its agents start: \`${content.configKey}\` is written, every agent is restarted, and each is asked what came of it.`,
      { kind: 'switch', arm: 'on' },
      'Enable',
      {
        commands: [onNetns.enter, ...onNetns.enable(family), ...onCluster.enable(family, content.configKey)],
        hint: 'The kernel or an agent refused: look at the output for its own words, and run preflight again.',
      },
    ),
    act(
      'read-switched',
      'Read again: nodes changed, pods not yet',
      `The nodes' devices follow at once. The pods **keep the sizes that they were made with**: their sender still builds
packets of 64 KiB at the most, so nothing is faster yet. It is an easy way to measure
the wrong thing.`,
      { kind: 'read', nodes: 'on', pods: 'off' },
      'Read',
      {
        commands: readAll(limits),
        hint: 'Nodes should have the new size and pods the old one. If pods have it already they were redeployed: go on.',
      },
    ),
    act(
      'redeploy',
      'Redeploy the pods',
      `Remove both pods and make them again. A pod's device gets its limits at birth, from what the node has by then.
Look at the path: the pods' values change, and every device agrees again.`,
      { kind: 'deploy', arm: 'on' },
      'Redeploy',
      {
        commands: [onNetns.enter, ...onNetns.deploy(family, limits), ...onCluster.deploy()],
        hint: 'Switch BIG TCP on first (step 7), then redeploy.',
      },
    ),
    act(
      'measure-on',
      'Measure again',
      `The same test, the same repeats. The 80,000 bytes now fit into **one packet** each way. Watch the packets per
request: they prove that the change took effect, whatever the speed turns out to be.`,
      measureAction(family, 'on'),
      'Measure',
      {
        commands: [onNetns.enter, ...onNetns.measure(content.addressOf), ...onCluster.measure(family)],
        hint: 'The counters do not show bigger packets: read the sizes of every device, those between the nodes included. One hop at 64 KiB cuts them all.',
      },
    ),
    act(
      'compare',
      'Compare',
      `The ratio of the medians, its 95 % interval, and a rank test, with every run shown as a dot. *Improved* and *worse* need
all three to agree; *no difference seen* does not say that there is none. All runs without BIG TCP came first here, so a
machine that changed meanwhile shows as a difference, too: the Bench page lets both sides take turns. netperf's
percentiles come from a histogram (10 µs steps from 100 µs up); a difference finer than its step is none.`,
      { kind: 'compare' },
      'Compare',
      { hint: 'Measure both sides first, then compare.' },
    ),
    restoreStep(family, [content.configKey]),
  ]
}

/** The BIG TCP lab of one family: twelve steps from "why" to "restore". */
export function bigTcpLab(content: FamilyContent): Lab {
  const name = familyName[content.family]
  return {
    id: `big-tcp-${content.family}`,
    title: `BIG TCP over ${name}`,
    question: `Do packets beyond 64 KiB make ${name} requests faster?`,
    summary: content.summary,
    feature: 'big-tcp',
    families: [content.family],
    arms: [
      { id: 'off', label: 'Without BIG TCP', settings: { [`big-tcp-${content.family}`]: false } },
      { id: 'on', label: 'With BIG TCP', settings: { [`big-tcp-${content.family}`]: true } },
    ],
    listed: true,
    minutes: 5,
    needs: [`big-tcp-${content.family}`],
    steps: [...before(content), ...after(content)],
  }
}
