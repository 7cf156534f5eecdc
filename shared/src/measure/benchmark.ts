/** What is run to measure: a tool and its parameters. Which tools there are, the features say. */
import { z } from 'zod'
import type { MetricId } from './metrics.ts'
import type { Capability } from '../testbed/testbed.ts'
import type { Family } from './units.ts'

/** `tcp-rr`, `iperf3`. */
export const toolId = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/)
export type ToolId = z.infer<typeof toolId>

/** A tool with its parameters, as far as any tool's can be checked; {@link BenchmarkKind.schema} checks the rest. */
export const benchmark = z
  .object({ tool: toolId })
  .catchall(z.union([z.number(), z.string().max(400), z.boolean(), z.null()]))
export type Benchmark = Readonly<z.infer<typeof benchmark>>

/** A parameter in words, and in the CSV report. */
export interface BenchmarkParameter {
  readonly key: string
  /** Its column in the CSV report. */
  readonly column: string
}

/** One tool: its parameters, what it measures, and what of that is shown where. The main metric is the first of `compared`. */
export interface BenchmarkKind {
  readonly tool: ToolId
  /** `netperf TCP_RR`. */
  readonly name: string
  /** What it does, in a list of tools: `requests and responses`. */
  readonly does: string
  readonly schema: z.ZodType<Benchmark>
  /** Those that have a column in the CSV report. */
  readonly parameters: readonly BenchmarkParameter[]
  /** What is compared, the main metric first. */
  readonly compared: readonly MetricId[]
  /** Drawn for a comparison: metrics of one axis together. */
  readonly charts: readonly (readonly MetricId[])[]
  /** Drawn for each case of an experiment, all arms in it; the main one first. */
  readonly beside: readonly MetricId[]
  /** The numbers of a measurement to be read from the back row. */
  readonly figures: readonly MetricId[]
  /** Columns of the table of all runs. */
  readonly columns: readonly MetricId[]
  /** In a line of the history: the main metric, and what explains it. */
  readonly brief: readonly MetricId[]
  /** What its samples show while it runs. */
  readonly live: MetricId
  /** The live metric over time, as a chart's caption: `transactions per second`. */
  readonly caption: string
  /** Columns of the table of samples; empty where the chart alone says it. */
  readonly sampled: readonly MetricId[]
  /** Below the figures: what must be known to read them; null for nothing. */
  readonly note: string | null
  /** The parameters in words, under a label of their own: `80,000 / 80,000 bytes`; null where there is nothing to say. */
  readonly describe: (of: Benchmark) => { readonly label: string; readonly value: string } | null
  /** With the parameters that a plan made by hand begins with. */
  readonly usual: Benchmark
  /** What is measured, without the tool: `80,000-byte requests over IPv4`. */
  readonly subject: (of: Benchmark, family: Family) => string
  /** What the testbed must offer to run it; null for nothing. */
  readonly capability: Capability | null
}

/** For a tool of a feature that this version does not have: its values are shown, and nothing is known of them. */
export function unknownKind(tool: ToolId, metrics: readonly MetricId[]): BenchmarkKind {
  const [main = 'value'] = metrics
  return {
    tool,
    name: tool,
    does: 'a tool that this version does not know',
    schema: benchmark,
    parameters: [],
    compared: metrics,
    charts: metrics.slice(0, 1).map((id) => [id]),
    beside: metrics.slice(0, 3),
    figures: metrics.slice(0, 4),
    columns: metrics,
    brief: metrics.slice(0, 1),
    live: main,
    caption: main,
    sampled: [],
    note: null,
    describe: () => null,
    usual: { tool },
    subject: () => tool,
    capability: null,
  }
}
