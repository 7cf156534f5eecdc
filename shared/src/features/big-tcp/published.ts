/** Published results of BIG TCP. */
import { i18n } from '../../base/language.ts'
import type { Family } from '../../base/units.ts'
import { iperf3 } from '../../tools/iperf3/iperf3.ts'
import type { Published, PublishedFigure } from '../published.ts'
import { isOn } from './settings.ts'

type Side = readonly [off: number, on: number]

interface Publication extends Pick<PublishedFigure, 'source' | 'link' | 'setup' | 'family' | 'runs'> {
  /** By tool and metric: figures in the metric's unit, or a ratio. */
  readonly figures: Readonly<Record<string, Side | number>>
}

const once = { off: 1, on: 1 }
const ten = { off: 10, on: 10 }
const BLOG = 'https://isovalent.com/blog/post/big-tcp-on-cilium/'

/** Virtual machines first, then real network cards. */
const publications: readonly Publication[] = [
  {
    source: /*i18n*/ 'Isovalent lab',
    setup: /*i18n*/ 'kind, kernel 6.4, Cilium 1.16, TCP_RR 80,000 bytes',
    link: null,
    family: 'ipv4',
    runs: { off: 2, on: 3 },
    figures: { 'tcp-rr tps': [12_191, 18_135], 'tcp-rr p99': [156, 104] },
  },
  {
    source: /*i18n*/ 'Isovalent lab',
    setup: /*i18n*/ 'kind, kernel 6.4, Cilium 1.16, TCP_RR 80,000 bytes, IPv4 already on',
    link: null,
    family: 'ipv6',
    runs: { off: 3, on: 3 },
    figures: { 'tcp-rr tps': [13_042, 18_217], 'tcp-rr p99': [139, 98] },
  },
  {
    source: /*i18n*/ 'Isovalent blog',
    setup: /*i18n*/ 'kind on a GCP VM, kernel 5.19, TCP_RR 80,000 bytes',
    link: BLOG,
    family: 'ipv6',
    runs: once,
    figures: { 'tcp-rr tps': [6_588, 8_664], 'tcp-rr p99': [357, 290] },
  },
  {
    source: /*i18n*/ 'Isovalent blog',
    setup: /*i18n*/ 'kind, kernel 6.4, Cilium 1.14, TCP_RR 80,000 bytes',
    link: BLOG,
    family: 'ipv4',
    runs: once,
    figures: { 'tcp-rr tps': [7_102, 10_305], 'tcp-rr p99': [279, 186] },
  },
  {
    source: /*i18n*/ 'Isovalent, KubeCon bench',
    setup: /*i18n*/ 'Ryzen 3950X, ConnectX-6 Dx; an application gained 15 % throughput',
    link: null,
    family: null,
    runs: null,
    figures: { 'tcp-rr tps': 1.42, 'tcp-rr p99': 1 / 2.2 },
  },
  {
    source: /*i18n*/ 'KubeCon slides',
    setup: /*i18n*/ 'iperf3, one stream, 55 s, the first 5 s excluded',
    link: null,
    family: 'ipv6',
    runs: null,
    figures: { 'stream throughput': [52.1e9, 60e9] },
  },
  {
    source: /*i18n*/ 'Linux kernel, the patches’ cover letter',
    setup: /*i18n*/ '100 Gbit/s card, 4K MTU, TCP_RR 80,000 bytes',
    link: 'https://lore.kernel.org/netdev/20220510033219.2639364-1-eric.dumazet@gmail.com/',
    family: 'ipv6',
    runs: ten,
    figures: { 'tcp-rr tps': [8_888, 12_839] },
  },
  {
    source: /*i18n*/ 'Linux kernel, the patches’ cover letter',
    setup: /*i18n*/ '25 Gbit/s card, 1.5K MTU, TCP_RR 80,000 bytes',
    link: 'https://lore.kernel.org/netdev/cover.1673666803.git.lucien.xin@gmail.com/',
    family: 'ipv4',
    runs: ten,
    figures: { 'tcp-rr tps': [4_481, 4_947], 'tcp-rr p99': [278, 236] },
  },
]

const RETRANSMITS =
  /*i18n*/ 'In the 55 s of the KubeCon slides iperf3 counted 112,984 retransmitted segments without BIG TCP and 62,267 with it: compare your own counts in the table of repeats.'

/** iperf3 and netperf's TCP_STREAM measure the same. */
const kindOf = (tool: string): string => (tool === 'tcp-rr' ? tool : 'stream')

function figureOf({ figures, ...about }: Publication, key: string): PublishedFigure[] {
  const found = figures[key]
  if (found === undefined) return []
  const [off, on] = typeof found === 'number' ? [null, null] : found
  const ratio = typeof found === 'number' ? found : found[1] / found[0]
  return [{ ...about, source: i18n.t(about.source), setup: i18n.t(about.setup), off, on, ratio, bound: null }]
}

/** The same family first. */
function inOrder(figures: readonly PublishedFigure[], family: Family): PublishedFigure[] {
  return figures.toSorted((a, b) => Number(b.family === family) - Number(a.family === family))
}

export const published: Published = {
  notes: (tool) => (tool === iperf3.tool ? [i18n.t(RETRANSMITS)] : []),
  figures: ({ off, on, family, tool, metric }) =>
    isOn(off, family) || !isOn(on, family)
      ? []
      : inOrder(
          publications.flatMap((one) => figureOf(one, `${kindOf(tool)} ${metric}`)),
          family,
        ),
}
