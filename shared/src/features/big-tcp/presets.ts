/** Presets of the Bench page. */
import { iperf3 } from '../../tools/iperf3/iperf3.ts'
import { tcpRr } from '../../tools/netperf/tcp-rr.ts'
import type { Design } from '../../measure/experiment.ts'
import type { Settings } from '../../base/settings.ts'
import type { Preset } from '../feature.ts'
import { POD_MTU, SIZE_LIMIT, switchOf } from './settings.ts'

function arm(on: boolean, more: Settings = {}): Settings {
  return { [switchOf.ipv4]: on, [switchOf.ipv6]: on, ...more }
}

const [off, on] = [arm(false), arm(true)]
/** Half a second varies as little as a whole one (`docs/statistics.md`). */
const design: Design = { order: 'auto', repeats: 8, seconds: 0.5, warmups: 1, budget: null }
const quick: Preset = { name: 'Quick A/B', tool: tcpRr.tool, families: ['ipv4'], sizes: '80k', arms: [off, on], design }

export const presets: readonly Preset[] = [
  quick,
  { ...quick, name: 'Is it noise? (A/A)', arms: [off, off] },
  {
    ...quick,
    name: 'Until the result is precise',
    design: { ...design, budget: { widthPercent: 5, seconds: 120 } },
  },
  { ...quick, name: 'Both families', families: ['ipv4', 'ipv6'] },
  {
    ...quick,
    name: 'Which request sizes benefit?',
    sizes: '1, 16k, 64k, 80k, 160k',
    design: { ...design, repeats: 6, seconds: 1 },
  },
  {
    ...quick,
    name: 'Which limit is enough?',
    sizes: '16k, 80k, 160k',
    arms: [off, ...[131_072, 196_608, 524_280].map((limit) => arm(true, { [SIZE_LIMIT]: limit }))],
    design: { ...design, repeats: 4, seconds: 1 },
  },
  {
    ...quick,
    name: 'Jumbo frames or BIG TCP?',
    arms: [1_500, 9_000].flatMap((mtu) => [arm(false, { [POD_MTU]: mtu }), arm(true, { [POD_MTU]: mtu })]),
    design: { ...design, repeats: 6, seconds: 1 },
  },
  {
    ...quick,
    name: 'One stream, iperf3',
    tool: iperf3.tool,
    design: { ...design, repeats: 4, seconds: 3, warmups: 0 },
  },
]
