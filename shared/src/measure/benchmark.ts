/** A benchmark: a tool and its parameters. `tools/registry.ts` lists the tools. */
import { i18n } from '../base/language.ts'
import { z } from 'zod'
import { countedId } from './clock.ts'
import type { Metric, MetricId } from './metrics.ts'
import type { Capability } from '../testbed/testbed.ts'
import type { Family } from '../base/units.ts'

/** `tcp-rr`, `iperf3`. */
export const toolId = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/)
export type ToolId = z.infer<typeof toolId>

/** A tool with its parameters, checked as far as possible for any tool; {@link BenchmarkKind.schema} checks the rest. */
export const benchmark = z
  .object({ tool: toolId })
  .catchall(z.union([z.number(), z.string().max(400), z.boolean(), z.null()]))
export type Benchmark = Readonly<z.infer<typeof benchmark>>

/** A parameter in words, and in the CSV report. */
export interface BenchmarkParameter {
  readonly key: string
  /** Its column in the CSV report. */
  readonly column: string
  /** For a number over which results can be drawn: its name, and its value in words. */
  readonly axis?: { readonly name: string; readonly format: (value: number) => string }
}

/** A rule, fixed before the first measurement, for the runs that count. */
export interface RunRule {
  /** Whole sentences: `A run is discarded if ...` */
  readonly words: string
  /** The metric with the number of runs that were discarded for a measurement. */
  readonly counts: MetricId
}

/** A tool: its parameters, its metrics, and where each metric is shown. The main metric is the first of `compared`. */
export interface BenchmarkKind {
  readonly tool: ToolId
  /** `netperf TCP_RR`. */
  readonly name: string
  /** Its purpose, in a list of tools: `requests and responses`. */
  readonly does: string
  readonly schema: z.ZodType<Benchmark>
  /** Its metrics in addition to the common metrics. @defaultValue none */
  readonly metrics?: readonly Metric[]
  /** The parameters with a column in the CSV report. */
  readonly parameters: readonly BenchmarkParameter[]
  /** The compared metrics, the main one first. */
  readonly compared: readonly MetricId[]
  /** The charts of a comparison: metrics with the same axis share one. */
  readonly charts: readonly (readonly MetricId[])[]
  /** The charts for each case of an experiment, with all arms; the main metric first. */
  readonly beside: readonly MetricId[]
  /** The large numbers of a measurement. */
  readonly figures: readonly MetricId[]
  /** Columns of the table of all runs. */
  readonly columns: readonly MetricId[]
  /** In a row of the history: the main metric, and metrics that explain it. */
  readonly brief: readonly MetricId[]
  /** The metric of its live samples. */
  readonly live: MetricId
  /** The live metric over time, as a chart's caption: `transactions per second`. */
  readonly caption: string
  /** Columns of the table of samples; empty if the chart is enough. */
  readonly sampled: readonly MetricId[]
  /** A note below the figures; null for none. */
  readonly note: string | null
  /** The rule for runs that count. @defaultValue all of them count */
  readonly rule?: RunRule
  /** The parameters in words, with a label: `80,000 / 80,000 bytes`; null if there are none. */
  readonly describe: (of: Benchmark) => { readonly label: string; readonly value: string } | null
  /** A benchmark with the default parameters of the Bench page. */
  readonly usual: Benchmark
  /** The subject of the measurement, without the tool: `80,000-byte requests over IPv4`. */
  readonly subject: (of: Benchmark, family: Family) => string
  /** Its runs take whole seconds. */
  readonly wholeSeconds: boolean
  /** Each run needs new pods, because they remember the run before. @defaultValue false */
  readonly freshPods?: boolean
  /** Seconds that a run waits after its measurement. A clock that counts instructions skips them. @defaultValue 0 */
  readonly waits?: number
  /** The same for the first run of each arm alone. @defaultValue 0 */
  readonly firstWaits?: number
  /** The capability that it needs; null for none. */
  readonly capability: Capability | null
}

/** Members that follow from the compared metrics, or that few tools need. */
type Derived =
  | 'parameters'
  | 'charts'
  | 'beside'
  | 'figures'
  | 'columns'
  | 'brief'
  | 'live'
  | 'sampled'
  | 'note'
  | 'describe'
  | 'wholeSeconds'
  | 'capability'

/**
 * A tool from its compared metrics: each has a chart of its own, all are shown wherever metrics are, and the main
 * metric is live and in the history. Members that differ are given.
 */
export function defineTool<const Id extends ToolId>(
  of: Omit<BenchmarkKind, Derived> & Partial<Pick<BenchmarkKind, Derived>> & { readonly tool: Id },
): BenchmarkKind & { readonly tool: Id } {
  const { compared } = of
  const main = compared.slice(0, 1)
  return {
    parameters: [],
    charts: compared.map((id) => [id]),
    beside: compared,
    figures: compared,
    columns: compared,
    brief: main,
    live: main.join(''),
    sampled: [],
    note: null,
    describe: () => null,
    wholeSeconds: false,
    capability: null,
    ...of,
  }
}

/** Members that depend on the unit of the clock that measured. */
type Shown = 'compared' | 'charts' | 'beside' | 'figures' | 'columns' | 'brief' | 'live' | 'caption' | 'sampled'

/** A tool without its metrics. */
export type Tool = Omit<BenchmarkKind, Shown>

/** The kind where the clock counts instructions. @param metricOf of any id of the kind */
export function countedKind(kind: BenchmarkKind, metricOf: (id: MetricId) => Metric): BenchmarkKind {
  const one = (id: MetricId): MetricId[] => {
    const { counted } = metricOf(id)
    return counted === 'absent' ? [] : [counted === 'same' ? id : countedId(id)]
  }
  const [live = kind.live] = one(kind.live)
  const { title } = metricOf(live).axis
  return {
    ...kind,
    compared: kind.compared.flatMap(one),
    charts: kind.charts.map((panel) => panel.flatMap(one)).filter((panel) => panel.length > 0),
    beside: kind.beside.flatMap(one),
    figures: kind.figures.flatMap(one),
    columns: kind.columns.flatMap(one),
    brief: kind.brief.flatMap(one),
    live,
    caption:
      live === kind.live
        ? kind.caption
        : i18n.locale === 'en'
          ? `${title.charAt(0).toLowerCase()}${title.slice(1)}`
          : title,
    sampled: kind.sampled.flatMap(one),
  }
}

/** A tool that this version does not have. Its values are shown unchanged. */
export function unknownKind(tool: ToolId, metrics: readonly MetricId[]): BenchmarkKind {
  const [main = 'value'] = metrics
  return defineTool({
    tool,
    name: tool,
    does: i18n.t('a tool that this version does not know'),
    schema: benchmark,
    compared: metrics,
    charts: metrics.slice(0, 1).map((id) => [id]),
    beside: metrics.slice(0, 3),
    figures: metrics.slice(0, 4),
    live: main,
    caption: main,
    usual: { tool },
    subject: () => tool,
    wholeSeconds: true,
  })
}
