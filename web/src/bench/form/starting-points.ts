/** Plans to begin with, which answer what a room asks most. */
import type { BenchChoice } from './choice.ts'

interface StartingPoint {
  readonly name: string
  readonly choice: BenchChoice
}

const off = { bigTcp: false, limit: '', mtu: '' }
const on = { bigTcp: true, limit: '', mtu: '' }

const quick: BenchChoice = {
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
    name: 'Until it is sure',
    choice: { ...quick, design: { ...quick.design, budget: { widthPercent: 5, seconds: 120 } } },
  },
  { name: 'Both families', choice: { ...quick, families: ['ipv4', 'ipv6'] } },
  {
    name: 'Which requests gain?',
    choice: { ...quick, sizes: '1, 16k, 64k, 80k, 160k', design: { ...quick.design, repeats: 6 } },
  },
  {
    name: 'Which limit is enough?',
    choice: {
      ...quick,
      sizes: '16k, 80k, 160k',
      arms: [off, { ...on, limit: '128K' }, { ...on, limit: '192K' }, { ...on, limit: '512K' }],
      design: { ...quick.design, repeats: 4 },
    },
  },
  {
    name: 'Jumbo frames or BIG TCP?',
    choice: {
      ...quick,
      arms: ['1500', '9000'].flatMap((mtu) => [
        { ...off, mtu },
        { ...on, mtu },
      ]),
      design: { ...quick.design, repeats: 6 },
    },
  },
  {
    name: 'One stream, iperf3',
    choice: { ...quick, tool: 'iperf3', design: { ...quick.design, repeats: 4, seconds: 3, warmups: 0 } },
  },
]
