/** Presets for common questions. */
import type { BenchChoice } from './choice.ts'
import type { Chosen } from './setting-controls.ts'

interface StartingPoint {
  readonly name: string
  readonly choice: BenchChoice
}

function arm(bigTcp: boolean, limit = '', mtu = ''): Chosen {
  return { 'BIG TCP': bigTcp, 'Send limit': limit, 'MTU of the pods': mtu }
}

const [off, on] = [arm(false), arm(true)]

const quick: BenchChoice = {
  feature: 'big-tcp',
  tool: 'tcp-rr',
  families: ['ipv4'],
  sizes: '80k',
  response: '',
  arms: [off, on],
  design: { order: 'auto', repeats: 8, seconds: 1, warmups: 1, budget: null },
}

export const startingPoints: readonly [StartingPoint, ...StartingPoint[]] = [
  { name: 'Quick A/B', choice: quick },
  { name: 'Is it noise? (A/A)', choice: { ...quick, arms: [off, off] } },
  {
    name: 'Until the result is precise',
    choice: { ...quick, design: { ...quick.design, budget: { widthPercent: 5, seconds: 120 } } },
  },
  { name: 'Both families', choice: { ...quick, families: ['ipv4', 'ipv6'] } },
  {
    name: 'Which request sizes benefit?',
    choice: { ...quick, sizes: '1, 16k, 64k, 80k, 160k', design: { ...quick.design, repeats: 6 } },
  },
  {
    name: 'Which limit is enough?',
    choice: {
      ...quick,
      sizes: '16k, 80k, 160k',
      arms: [off, arm(true, '128K'), arm(true, '192K'), arm(true, '512K')],
      design: { ...quick.design, repeats: 4 },
    },
  },
  {
    name: 'Jumbo frames or BIG TCP?',
    choice: {
      ...quick,
      arms: ['1500', '9000'].flatMap((mtu) => [arm(false, '', mtu), arm(true, '', mtu)]),
      design: { ...quick.design, repeats: 6 },
    },
  },
  {
    name: 'One stream, iperf3',
    choice: { ...quick, tool: 'iperf3', design: { ...quick.design, repeats: 4, seconds: 3, warmups: 0 } },
  },
]
