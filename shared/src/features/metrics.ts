/** Lookup of all metrics and tools. Pure. */
import { derived } from '../base/registry.ts'
import { countedKind, unknownKind, type Benchmark, type BenchmarkKind, type Tool } from '../measure/benchmark.ts'
import { areCounted, isCounted } from '../measure/clock.ts'
import { countedForm } from '../measure/counted-form.ts'
import { tools } from '../tools/registry.ts'
import { commonMetrics, unknownMetric } from '../measure/common-metrics.ts'
import type { Metric, MetricId, MetricValues } from '../measure/metrics.ts'
import { features } from './registry.ts'
import { i18n } from '../base/language.ts'

/**
 * Names in the reader's language. Many are composed, so `web/lingui.config.js` collects them from the finished metrics.
 */
function readableMetric(metric: Metric): Metric {
  const { name, short, noun, head, words, axis } = metric
  return {
    ...metric,
    name: i18n.t(name),
    short: i18n.t(short),
    noun: i18n.t(noun),
    ...(head !== undefined && { head: i18n.t(head) }),
    words: { more: i18n.t(words.more), less: i18n.t(words.less) },
    axis: { ...axis, title: i18n.t(axis.title), unit: i18n.t(axis.unit) },
  }
}

function readableTool(kind: BenchmarkKind): BenchmarkKind {
  return { ...kind, name: i18n.t(kind.name), does: i18n.t(kind.does), caption: i18n.t(kind.caption) }
}

/** All metrics, with the counted form behind each. The CSV report's columns have this order. */
export const allMetrics = derived((): readonly Metric[] =>
  [
    ...commonMetrics,
    ...[...kindByTool().values()].flatMap(({ metrics = [] }) => metrics),
    ...features.all().flatMap(({ metrics }) => metrics),
  ].flatMap((one) => {
    const form = countedForm(one)
    return (form === null ? [one] : [one, form]).map(readableMetric)
  }),
)
const metricById = derived((): ReadonlyMap<string, Metric> => new Map(allMetrics().map((one) => [one.id, one])))

/** All tools, without duplicates. */
export const allBenchmarks = derived((): readonly Tool[] => [...kindByTool().values()])
const kindByTool = derived(
  (): ReadonlyMap<string, BenchmarkKind> =>
    new Map(
      [...tools.all(), ...features.all().flatMap(({ benchmarks }) => benchmarks)].map((one) => [
        one.tool,
        readableTool(one),
      ]),
    ),
)

/** A metric; an unknown one has only its id. */
export function metricOf(id: MetricId): Metric {
  return metricById().get(id) ?? unknownMetric(id)
}

/** `12,191 TPS`, `7.8 Gbit/s`, `88 µs`; `unknown` for null. */
export function formatMetric(id: MetricId, value: number | null): string {
  return value === null ? 'unknown' : metricOf(id).format(value)
}

/** The value beside the metric's whole name, which has the unit where instructions are counted: `12,191 TPS`, `1,645`. */
export function formatNamed(id: MetricId, value: number | null): string {
  return isCounted(id) ? formatCell(id, value) : formatMetric(id, value)
}

/** The heading of a column of {@link formatCell}'s values. */
export function headOf(id: MetricId): string {
  const { head, short } = metricOf(id)
  return head ?? short
}

/** The value in a table, below the metric's heading: `12,191`. */
export function formatCell(id: MetricId, value: number | null): string {
  const { cell, format } = metricOf(id)
  return value === null ? 'unknown' : (cell ?? format)(value)
}

/** Null for an unknown tool. Which metrics it shows depends on the clock: {@link benchmarkKind}. */
export function findTool(tool: string): Tool | null {
  return kindByTool().get(tool) ?? null
}

/** A tool without its metrics; an unknown one has only its name. */
export function toolOf({ tool }: Pick<Benchmark, 'tool'>): Tool {
  return kindByTool().get(tool) ?? unknownKind(tool, [])
}

/** A tool that this version does not know has the metrics that it measured. */
function kindOf(tool: string, values: MetricValues, counted: boolean): BenchmarkKind {
  const kind = kindByTool().get(tool)
  if (kind === undefined) return unknownKind(tool, Object.keys(values))
  return counted ? countedKind(kind, metricOf) : kind
}

const kinds = derived(() => new Map<string, BenchmarkKind>())

/**
 * A tool with its metrics, in the unit of the clock that measured the values.
 *
 * @param values measured values; empty before there are any, and for a clock that shows time
 * @param counted for when there are no values yet: whether the clock counts instructions
 */
export function benchmarkKind(
  { tool }: Pick<Benchmark, 'tool'>,
  values: MetricValues,
  counted = areCounted(values),
): BenchmarkKind {
  const key = `${tool} ${counted}`
  const known = kinds().get(key)
  if (known !== undefined) return known
  const made = kindOf(tool, values, counted)
  if (kindByTool().has(tool)) kinds().set(key, made)
  return made
}

/** The metric that decides the verdict of a benchmark, in the unit of the values. */
export function mainMetricOf(of: Pick<Benchmark, 'tool'>, values: MetricValues): MetricId {
  const kind = benchmarkKind(of, values)
  return kind.compared[0] ?? kind.live
}

/** `netperf TCP_RR`. */
export function toolName(of: Pick<Benchmark, 'tool'>): string {
  return toolOf(of).name
}

/** `netperf TCP_RR, 80,000 / 80,000 bytes`. */
export function benchmarkName(of: Benchmark): string {
  const kind = toolOf(of)
  const parameters = kind.describe(of)
  return parameters === null ? kind.name : `${kind.name}, ${parameters.value}`
}

/** The errors of a benchmark: an unknown tool, or a parameter that the tool does not accept. */
export function benchmarkIssues(of: Benchmark): { readonly path: PropertyKey[]; readonly message: string }[] {
  const kind = findTool(of.tool)
  if (kind === null) {
    const known = allBenchmarks()
      .map(({ tool }) => tool)
      .join(', ')
    return [{ path: ['tool'], message: `there is no tool “${of.tool}”; known are ${known}` }]
  }
  const { error } = kind.schema.safeParse(of)
  return (error?.issues ?? []).map(({ path, message }) => ({ path, message }))
}

/** The charts for a comparison's metrics, from its tool; for an unknown tool, from a tool with the same main metric. */
export function chartsOf(tool: string | null, metrics: readonly MetricId[]): readonly (readonly MetricId[])[] {
  const [main] = metrics
  if (main === undefined) return []
  const counted = metrics.some(isCounted)
  const named = tool !== null && kindByTool().has(tool) ? benchmarkKind({ tool }, {}, counted) : null
  const kind =
    named ??
    allBenchmarks()
      .map((one) => benchmarkKind(one, {}, counted))
      .find(({ compared }) => compared[0] === main)
  const charts = (kind?.charts ?? [[main]]).map((panel) => panel.filter((one) => metrics.includes(one)))
  return charts.filter((panel) => panel.length > 0)
}

const betterWords = { more: ', more is better', less: ', less is better', neither: '' }

/** The title of a chart: `Latency in µs, less is better`. */
export function axisTitle(id: MetricId): string {
  const { axis, better } = metricOf(id)
  return axis.title + betterWords[better]
}
