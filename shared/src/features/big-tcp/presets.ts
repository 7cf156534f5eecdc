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
const quick: Preset = {
  name: /*i18n*/ 'Quick A/B',
  tool: tcpRr.tool,
  families: ['ipv4'],
  sizes: '80k',
  arms: [off, on],
  design,
}

export const presets: readonly Preset[] = [
  quick,
  { ...quick, name: /*i18n*/ 'Is it noise? (A/A)', arms: [off, off] },
  {
    ...quick,
    name: /*i18n*/ 'Until the result is precise',
    design: { ...design, budget: { widthPercent: 5, seconds: 120 } },
  },
  { ...quick, name: /*i18n*/ 'Both families', families: ['ipv4', 'ipv6'] },
  {
    ...quick,
    name: /*i18n*/ 'Which request sizes benefit?',
    sizes: '1, 16k, 64k, 80k, 160k',
    design: { ...design, repeats: 6, seconds: 1 },
  },
  {
    ...quick,
    name: /*i18n*/ 'Which limit is enough?',
    sizes: '16k, 80k, 160k',
    arms: [off, ...[131_072, 196_608, 524_280].map((limit) => arm(true, { [SIZE_LIMIT]: limit }))],
    design: { ...design, repeats: 4, seconds: 1 },
  },
  {
    ...quick,
    name: /*i18n*/ 'Jumbo frames or BIG TCP?',
    arms: [1_500, 9_000].flatMap((mtu) => [arm(false, { [POD_MTU]: mtu }), arm(true, { [POD_MTU]: mtu })]),
    design: { ...design, repeats: 6, seconds: 1 },
  },
  {
    ...quick,
    name: /*i18n*/ 'One stream, iperf3',
    tool: iperf3.tool,
    design: { ...design, repeats: 4, seconds: 3, warmups: 0 },
  },
]
