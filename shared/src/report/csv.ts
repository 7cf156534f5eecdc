/** A report as CSV (RFC 4180): one row per measurement, with warm-ups marked and the environment in columns. */
import { derived } from '../base/registry.ts'
import { allSettings } from '../features/settings.ts'
import { areCounted, isCounted, type Clock } from '../measure/clock.ts'
import type { Fingerprint } from '../measure/fingerprint.ts'
import { allBenchmarks, allMetrics } from '../features/metrics.ts'
import { valueOf, type Measurement } from '../measure/measurement.ts'
import { CLIENT, SERVER } from '../testbed/placement.ts'
import type { Report, ReportComparison, ReportRun } from './model.ts'

type Cell = string | number | boolean | null

/** Spreadsheets interpret a cell that begins so as a formula, and run it. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Numbers stay numbers; text that a spreadsheet would interpret as a formula begins with an apostrophe. */
export function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A measurement with its run. */
interface Taken {
  readonly run: ReportRun
  readonly of: Measurement
  readonly env: Fingerprint | null
  /** The comparison of its arm with the first arm, by the main metric; null for the first arm, and without a comparison. */
  readonly compared: ReportComparison['comparison'] | null
  /** On that comparison. */
  readonly opinion: ReportComparison['opinion'] | null
}

/** An experiment's own comparison, or that of a later step or of two runs, with a baseline of another arm. */
function comparisonOf(run: ReportRun, { arm, caseId }: Measurement, all: readonly ReportComparison[]) {
  const found = all.findLast(({ runId, case: of, comparison: { off, on } }) =>
    of === null
      ? caseId === null && on.arm === arm && off.arm !== arm
      : runId === run.id && of.id === caseId && of.arm === arm,
  )
  return found ?? null
}

type Column = readonly [string, (taken: Taken) => Cell]

/** A column for each parameter of any tool: tools of one parameter share its column. */
function parameterColumns(): Column[] {
  const keys = new Map(allBenchmarks().flatMap(({ parameters }) => parameters.map((one) => [one.column, one.key])))
  return [...keys].map(([column, key]): Column => [column, ({ of }) => of.benchmark[key] ?? null])
}

/** The units of the clocks of a report's measurements. A column of a clock that none of them has would be empty. */
interface Clocks {
  readonly time: boolean
  readonly instructions: boolean
}

/** A metric in time has its counted form behind it. */
function metricColumns({ time, instructions }: Clocks): Column[] {
  return allMetrics().flatMap(({ id, column, counted }): Column[] => {
    const shown = isCounted(id) ? instructions : counted === 'same' || time
    return column === null || !shown ? [] : [[column, ({ of }) => valueOf(of, id)]]
  })
}

/** How long a run took by the clock of the machine that was measured. */
function lengthColumns({ time, instructions }: Clocks): Column[] {
  const clockOf = ({ env }: Taken): Clock => env?.instructionsPerMicrosecond ?? null
  const seconds: Column = ['elapsed_s', (one) => (clockOf(one) === null ? one.of.elapsedSeconds : null)]
  const counted: Column = [
    'elapsed_instructions',
    (one) => {
      const clock = clockOf(one)
      return clock === null ? null : Math.round(one.of.elapsedSeconds * 1e6 * clock)
    },
  ]
  return [...(time ? [seconds] : []), ...(instructions ? [counted] : [])]
}

const headColumns: readonly Column[] = [
  ['session_id', ({ run }) => run.sessionId],
  ['run_id', ({ run }) => run.id],
  ['lab', ({ run }) => run.labId],
  ['step', ({ run }) => run.stepId],
  ['testbed', ({ run }) => run.testbed],
  ['run_state', ({ run }) => run.state],
  ['case', ({ of }) => of.caseId],
  ['arm', ({ of }) => of.arm],
  ['family', ({ of }) => of.family],
  ['tool', ({ of }) => of.benchmark.tool],
  ['order_in_run', ({ of }) => of.repeat],
  ['warmup', ({ of }) => of.warmup],
  ['started_at', ({ of }) => new Date(of.startedAt).toISOString()],
]

/** Columns of the second opinion; only where a comparison has an opinion. */
const opinionColumns: readonly Column[] = [
  ['opinion_run_id', ({ opinion }) => opinion?.runId ?? null],
  ['opinion_metric', ({ opinion }) => opinion?.counted?.metric ?? null],
  ['opinion_ratio', ({ opinion }) => opinion?.counted?.ratio ?? null],
  ['opinion_ratio_low', ({ opinion }) => opinion?.counted?.interval?.low ?? null],
  ['opinion_ratio_high', ({ opinion }) => opinion?.counted?.interval?.high ?? null],
  ['opinion_verdict', ({ opinion }) => opinion?.counted?.verdict ?? null],
  ['opinion_agreement', ({ opinion }) => opinion?.agreement ?? null],
]

const verdictColumns: readonly Column[] = [
  ['verdict_metric', ({ compared }) => compared?.rows[0]?.metric ?? null],
  ['verdict', ({ compared }) => compared?.verdict ?? null],
  ['verdict_p', ({ compared }) => compared?.rows[0]?.p ?? null],
  ['verdict_adjusted_p', ({ compared }) => compared?.rows[0]?.adjustedP ?? null],
  ['verdict_method', ({ compared }) => compared?.control.method ?? null],
  ['verdict_comparisons', ({ compared }) => compared?.control.comparisons ?? null],
]

const environmentColumns = derived((): readonly Column[] => [
  ['env_name', ({ env }) => env?.name ?? null],
  ['env_incarnation', ({ env }) => env?.incarnation ?? null],
  ['env_kernel', ({ env }) => env?.kernel ?? null],
  ['env_os', ({ env }) => env?.os ?? null],
  ['env_cpu_model', ({ env }) => env?.cpu.model ?? null],
  ['env_cpu_count', ({ env }) => env?.cpu.count ?? null],
  ['env_cpu_governor', ({ env }) => env?.cpu.governor ?? null],
  ['env_load_1min', ({ env }) => env?.load ?? null],
  ...allSettings()
    .filter(({ readAs }) => readAs === undefined)
    .map(({ id, column }): Column => [
      `env_${column ?? id.replaceAll('-', '_')}`,
      ({ env }) => env?.settings[id] ?? null,
    ]),
  ['env_pod_mtu_bytes', ({ env }) => env?.mtu ?? null],
  ['env_placement', ({ env }) => env?.placement?.variant ?? null],
  ['env_client_node', ({ env }) => env?.placement?.nodes[CLIENT] ?? null],
  ['env_server_node', ({ env }) => env?.placement?.nodes[SERVER] ?? null],
  ['env_client_cpu', ({ env }) => env?.cpus[CLIENT] ?? null],
  ['env_server_cpu', ({ env }) => env?.cpus[SERVER] ?? null],
])

/** `version_netperf`, `image_agent`: one column for each that any of the measurements knows. */
function keyed(prefix: string, taken: readonly Taken[], of: (env: Fingerprint) => Readonly<Record<string, string>>) {
  const keys = new Set(taken.flatMap(({ env }) => (env === null ? [] : Object.keys(of(env)))))
  return [...keys].toSorted().map((key): Column => {
    // Every object inherits a `constructor`.
    const known = (env: Fingerprint): Cell => (Object.hasOwn(of(env), key) ? (of(env)[key] ?? null) : null)
    return [`${prefix}${key}`, ({ env }) => (env === null ? null : known(env))]
  })
}

/** Ends with a line break, as every record does; only the header where nothing was measured. */
export function* csvReport({ runs, comparisons }: Report): Generator<string> {
  const taken = runs.flatMap((run) =>
    run.repeats.flatMap(({ measurement: of }): Taken[] => {
      if (of === null) return []
      const compared = comparisonOf(run, of, comparisons)
      const { comparison = null, opinion = null } = compared ?? {}
      return [{ run, of, env: of.fingerprint, compared: comparison, opinion }]
    }),
  )
  const counts = taken.map(({ of }) => areCounted(of.values))
  const clocks = { time: counts.includes(false) || taken.length === 0, instructions: counts.includes(true) }
  const all = [
    ...headColumns,
    ...lengthColumns(clocks),
    ...parameterColumns(),
    ...metricColumns(clocks),
    ...verdictColumns,
    ...(taken.some(({ opinion }) => opinion !== null) ? opinionColumns : []),
    ...environmentColumns(),
    ...keyed('version_', taken, ({ versions }) => versions),
    ...keyed('image_', taken, ({ images }) => images),
  ]
  const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
  yield line(all.map(([name]) => csvCell(name)))
  for (const one of taken) yield line(all.map(([, value]) => csvCell(value(one))))
}
