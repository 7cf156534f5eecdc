/** Published results of BIG TCP, to show next to your own results. They are never part of a computation. */
import type { MetricId } from '@expresslane/shared/measure/metrics'
import type { Family } from '@expresslane/shared/base/units'

/** A figure of a publication, in the metric's unit; null if it was not published. */
export interface PublishedFigure {
  readonly metric: 'tps' | 'p99' | 'throughput'
  readonly off: number | null
  readonly on: number | null
  /** `on / off`, as published or computed from both. */
  readonly ratio: number
}

export interface PublishedResult {
  readonly id: string
  readonly source: string
  /** The machine and the benchmark, as far as published. */
  readonly setup: string
  /** Null if no stable address is known. */
  readonly link: string | null
  /** Null if not published. */
  readonly family: Family | null
  /** Runs per side; null if not published. */
  readonly runs: number | null
  readonly figures: readonly PublishedFigure[]
}

function figure(metric: PublishedFigure['metric'], off: number, on: number): PublishedFigure {
  return { metric, off, on, ratio: on / off }
}

const BLOG = 'https://isovalent.com/blog/post/big-tcp-on-cilium/'

/** Virtual machines first, then real network cards. */
export const publishedResults: readonly PublishedResult[] = [
  {
    id: 'isovalent-lab-ipv4',
    source: 'Isovalent lab',
    setup: 'kind, kernel 6.4, Cilium 1.16, TCP_RR 80,000 bytes',
    link: null,
    family: 'ipv4',
    runs: 1,
    figures: [figure('tps', 12_191, 18_135), figure('p99', 156, 104)],
  },
  {
    id: 'isovalent-lab-ipv6',
    source: 'Isovalent lab',
    setup: 'kind, kernel 6.4, Cilium 1.16, IPv4 already on, TCP_RR 80,000 bytes',
    link: null,
    family: 'ipv6',
    runs: 1,
    figures: [figure('tps', 13_042, 18_217), figure('p99', 139, 98)],
  },
  {
    id: 'isovalent-blog-ipv6',
    source: 'Isovalent blog',
    setup: 'kind on a GCP VM, kernel 5.19, TCP_RR 80,000 bytes',
    link: BLOG,
    family: 'ipv6',
    runs: 1,
    figures: [figure('tps', 6_588, 8_664), figure('p99', 357, 290)],
  },
  {
    id: 'isovalent-blog-ipv4',
    source: 'Isovalent blog',
    setup: 'kind, kernel 6.4, Cilium 1.14, TCP_RR 80,000 bytes',
    link: BLOG,
    family: 'ipv4',
    runs: 1,
    figures: [figure('tps', 7_102, 10_305), figure('p99', 279, 186)],
  },
  {
    id: 'kubecon-bench',
    source: 'Isovalent, KubeCon bench',
    setup: 'Ryzen 3950X, ConnectX-6 Dx; an application gained 15 % throughput',
    link: null,
    family: null,
    runs: null,
    figures: [
      { metric: 'tps', off: null, on: null, ratio: 1.42 },
      { metric: 'p99', off: null, on: null, ratio: 1 / 2.2 },
    ],
  },
  {
    id: 'kubecon-iperf3',
    source: 'KubeCon slides',
    setup: 'iperf3, one stream, 55 s, the first 5 s excluded',
    link: null,
    family: 'ipv6',
    runs: null,
    figures: [figure('throughput', 52.1e9, 60e9)],
  },
  {
    id: 'kernel-ipv6',
    source: 'Linux kernel, the patches’ cover letter',
    setup: '100 Gbit/s card, 4K MTU, TCP_RR 80,000 bytes, means of 10 runs',
    link: 'https://lore.kernel.org/netdev/20220510033219.2639364-1-eric.dumazet@gmail.com/',
    family: 'ipv6',
    runs: 10,
    figures: [figure('tps', 8_888, 12_839)],
  },
  {
    id: 'kernel-ipv4',
    source: 'Linux kernel, the patches’ cover letter',
    setup: '25 Gbit/s card, 1.5K MTU, TCP_RR 80,000 bytes, means of 10 runs',
    link: 'https://lore.kernel.org/netdev/cover.1673666803.git.lucien.xin@gmail.com/',
    family: 'ipv4',
    runs: 10,
    figures: [figure('tps', 4_481, 4_947), figure('p99', 278, 236)],
  },
]

/** The published figures of these metrics: the same family first, then the rest. */
export function publishedBeside(
  metrics: readonly MetricId[],
  family: Family,
): { readonly result: PublishedResult; readonly figure: PublishedFigure }[] {
  const all = publishedResults.flatMap((result) =>
    result.figures.flatMap((one) => (metrics.includes(one.metric) ? [{ result, figure: one }] : [])),
  )
  const rank = ({ result }: (typeof all)[number]): number => (result.family === family ? 0 : 1)
  return all.toSorted((a, b) => rank(a) - rank(b))
}
