/** Lookup of all metrics and tools. Pure. */
import { unknownKind, type Benchmark, type BenchmarkKind } from '../measure/benchmark.ts'
import { commonMetrics, unknownMetric, type Metric, type MetricId, type MetricValues } from '../measure/metrics.ts'
import type { Feature } from './feature.ts'
import { features } from './registry.ts'

const all: readonly Feature[] = features

/** All metrics, the common ones first. The CSV report's columns have this order. */
export const allMetrics: readonly Metric[] = [...commonMetrics, ...all.flatMap(({ metrics }) => metrics)]
const metricById: ReadonlyMap<string, Metric> = new Map(allMetrics.map((one) => [one.id, one]))

/** All tools, without duplicates. */
export const allBenchmarks: readonly BenchmarkKind[] = [...new Set(all.flatMap(({ benchmarks }) => benchmarks))]
const kindByTool: ReadonlyMap<string, BenchmarkKind> = new Map(allBenchmarks.map((one) => [one.tool, one]))

/** A metric; an unknown one has only its id. */
export function metricOf(id: MetricId): Metric {
  return metricById.get(id) ?? unknownMetric(id)
}

/** `12,191 TPS`, `7.8 Gbit/s`, `88 µs`; `unknown` for null. */
export function formatMetric(id: MetricId, value: number | null): string {
  return value === null ? 'unknown' : metricOf(id).format(value)
}

/** The value in a table, below the metric's short name: `12,191`. */
export function formatCell(id: MetricId, value: number | null): string {
  const { cell, format } = metricOf(id)
  return value === null ? 'unknown' : (cell ?? format)(value)
}

/** Null for an unknown tool. */
export function findKind(tool: string): BenchmarkKind | null {
  return kindByTool.get(tool) ?? null
}

/**
 * A tool; an unknown one has only its name.
 *
 * @param values measured values, so that those of an unknown tool can be shown
 */
export function benchmarkKind({ tool }: Pick<Benchmark, 'tool'>, values: MetricValues = {}): BenchmarkKind {
  return findKind(tool) ?? unknownKind(tool, Object.keys(values))
}

/** The metric that decides the verdict of a benchmark. */
export function mainMetricOf(of: Pick<Benchmark, 'tool'>, values: MetricValues = {}): MetricId {
  const kind = benchmarkKind(of, values)
  return kind.compared[0] ?? kind.live
}

/** `netperf TCP_RR`. */
export function toolName(of: Pick<Benchmark, 'tool'>): string {
  return benchmarkKind(of).name
}

/** `netperf TCP_RR, 80,000 / 80,000 bytes`. */
export function benchmarkName(of: Benchmark): string {
  const kind = benchmarkKind(of)
  const parameters = kind.describe(of)
  return parameters === null ? kind.name : `${kind.name}, ${parameters.value}`
}

/** The errors of a benchmark: an unknown tool, or a parameter that the tool does not accept. */
export function benchmarkIssues(of: Benchmark): { readonly path: PropertyKey[]; readonly message: string }[] {
  const kind = findKind(of.tool)
  if (kind === null) {
    const known = allBenchmarks.map(({ tool }) => tool).join(', ')
    return [{ path: ['tool'], message: `there is no tool “${of.tool}”; known are ${known}` }]
  }
  const { error } = kind.schema.safeParse(of)
  return (error?.issues ?? []).map(({ path, message }) => ({ path, message }))
}

/**
 * The charts for a comparison's metrics: those of its tool. If the tool is unknown, those of the tool with the same
 * main metric.
 */
export function chartsOf(tool: string | null, metrics: readonly MetricId[]): readonly (readonly MetricId[])[] {
  const [main] = metrics
  if (main === undefined) return []
  const kind = (tool === null ? null : findKind(tool)) ?? allBenchmarks.find(({ compared }) => compared[0] === main)
  const charts = (kind?.charts ?? [[main]]).map((panel) => panel.filter((one) => metrics.includes(one)))
  return charts.filter((panel) => panel.length > 0)
}

const betterWords = { more: ', more is better', less: ', less is better', neither: '' }

/** The title of a chart: `Latency in µs, less is better`. */
export function axisTitle(id: MetricId): string {
  const { axis, better } = metricOf(id)
  return axis.title + betterWords[better]
}
