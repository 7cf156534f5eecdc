/** How big is big enough? A sweep of the limit by request size. */
import type { ArmPlan, TestCase } from '@expresslane/shared/measure/experiment'
import type { Lab } from '@expresslane/shared/labs/lab'
import { bytes, formatCount } from '@expresslane/shared/measure/units'
import * as onNetns from './big-tcp-commands.ts'
import { sweepByHand } from './experiment-commands.ts'
import { act, preflightStep, read, restoreStep } from './steps.ts'

/** In bytes, with names; the last is what veth devices allow at the most. */
const limits: readonly (readonly [string, number])[] = [
  ['128K', 131_072],
  ['192K', 196_608],
  ['256K', 262_144],
  ['512K', 524_280],
]

const baseline: ArmPlan = { id: '64k', label: '64K', settings: { 'big-tcp-ipv4': false } }

const arms: ArmPlan[] = [
  baseline,
  ...limits.map(([label, limit]) => ({
    id: label.toLowerCase(),
    label,
    settings: { 'big-tcp-ipv4': true, 'size-limit': limit },
  })),
]

const sizes = [1, 1_000, 16_000, 64_000, 80_000, 160_000, 500_000]

function nameOf(size: number): string {
  return size < 1_000 ? `${size} B` : `${formatCount(size / 1_000)} kB`
}

const cases: TestCase[] = sizes.map((size) => ({
  id: `rr-${size}`,
  label: nameOf(size),
  family: 'ipv4',
  benchmark: { tool: 'tcp-rr', requestBytes: bytes.parse(size), responseBytes: bytes.parse(size) },
}))

export const howBig: Lab = {
  id: 'how-big',
  title: 'How big is big enough?',
  question: 'From which size on does a larger limit stop to pay?',
  summary:
    'Five limits from 64K to 512K, seven request sizes from 1 byte to 500 kB: a map of what each limit is worth.',
  feature: 'big-tcp',
  families: ['ipv4'],
  arms,
  listed: true,
  minutes: 6,
  needs: ['big-tcp-ipv4', 'size-limit'],
  steps: [
    read(
      'why',
      'Why not as big as possible?',
      `BIG TCP moves the limit of one packet from 64 KiB to 192 KiB. Cilium stops there; the kernel does not: a veth device
takes up to 512 KiB. A bigger limit helps only a message that **needs more than one packet** without it. For a message
that fits into 64 KiB anyway nothing can change, and a bigger packet waits longer until it is whole.

So where does it stop to pay? This lab measures every limit with every size of request, and shows a map.`,
    ),
    preflightStep(`Can it be done here? The limit must be free to set: on this machine's own path it is. On a cluster it is not: Cilium
computes one size for all devices. Each check tells what it saw.`),
    act(
      'verify-off',
      'What do the devices allow?',
      `Each device has a \`tso_max_size\`, beyond which its limit can't go, and starts with a limit of 64 KiB. Look at the path:
every hop counts, for one that cuts at 64 KiB cuts for all.`,
      { kind: 'verify', arm: '64k' },
      'Look',
      {
        commands: [onNetns.enter, ...onNetns.readNodes('tso_max_size'), ...onNetns.readNodes('gso_ipv4_max_size')],
        hint: 'BIG TCP is on already. Press "Switch it off first", or Reset to put back what was there before.',
      },
    ),
    act(
      'sweep',
      'Sweep',
      `Five limits, seven sizes. The limits take turns, forwards and backwards, so that whatever else changes on this machine
meanwhile meets them all alike. At every turn the nodes get the limit, **the pods are made anew**, every device is read,
and each size is measured once. The packets a request took prove that the limit was what it is called.`,
      {
        kind: 'experiment',
        plan: {
          arms,
          cases,
          design: { order: 'auto', repeats: 4, seconds: 1, warmups: 1, budget: null },
        },
        repeats: { default: 4, min: 1, max: 20 },
        seconds: { default: 1, min: 1, max: 30 },
      },
      'Sweep',
      {
        commands: [
          onNetns.enter,
          ...sweepByHand(
            limits.map(([, limit]) => limit),
            sizes,
          ),
        ],
        hint: 'Look at which limit and size took other packets than expected; keep everything else quiet, and sweep again.',
      },
    ),
    read(
      'read-the-map',
      'Read the map',
      `Look along a row: the size of the request stays, the limit grows. Small requests show no difference, for they were one
packet before. A size that took two packets gains once it fits into one. After that a larger limit has nothing left to
save: **that is where it stops to pay.** Cells without a verdict are noise; more repeats make them clearer.

Mind the way it was measured: one connection on an idle machine. A large limit also means large bursts, and memory that
is held until the burst is gone.`,
    ),
    restoreStep('ipv4', ['enable-ipv4-big-tcp']),
  ],
}
