/** A report as CSV (RFC 4180): a row a measurement, warm-ups flagged, the environment flattened beside it. */
import type { Fingerprint } from '../measure/fingerprint.ts'
import {
  isRequestResponse,
  type Measurement,
  type RequestResponseMeasurement,
  type StreamMeasurement,
} from '../measure/measurement.ts'
import { CLIENT, SERVER } from '../testbed/placement.ts'
import type { Report, ReportRun } from './model.ts'

type Cell = string | number | boolean | null

/** Spreadsheets take a cell that begins so for a formula, and run it. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Numbers stay numbers; text that a spreadsheet would compute gets an apostrophe in front. */
export function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A measurement with its run, and as what it is. */
interface Taken {
  readonly run: ReportRun
  readonly of: Measurement
  readonly answered: RequestResponseMeasurement | null
  readonly streamed: StreamMeasurement | null
  readonly env: Fingerprint | null
}

type Column = readonly [string, (taken: Taken) => Cell]

const columns: readonly Column[] = [
  ['session_id', ({ run }) => run.sessionId],
  ['run_id', ({ run }) => run.id],
  ['lab', ({ run }) => run.labId],
  ['step', ({ run }) => run.stepId],
  ['testbed', ({ run }) => run.testbed],
  ['run_state', ({ run }) => run.state],
  ['case', ({ of }) => of.caseId],
  ['arm', ({ of }) => of.arm],
  ['family', ({ of }) => of.family],
  ['tool', ({ of }) => of.tool],
  ['order_in_run', ({ of }) => of.repeat],
  ['warmup', ({ of }) => of.warmup],
  ['started_at', ({ of }) => new Date(of.startedAt).toISOString()],
  ['elapsed_s', ({ of }) => of.elapsedSeconds],
  ['request_bytes', ({ answered }) => answered?.requestBytes ?? null],
  ['response_bytes', ({ answered }) => answered?.responseBytes ?? null],
  ['transactions_per_s', ({ answered }) => answered?.tps ?? null],
  ['throughput_bit_per_s', ({ of }) => of.throughput],
  ['latency_min_us', ({ answered }) => answered?.latency.min ?? null],
  ['latency_mean_us', ({ answered }) => answered?.latency.mean ?? null],
  ['latency_p50_us', ({ answered }) => answered?.latency.p50 ?? null],
  ['latency_p90_us', ({ answered }) => answered?.latency.p90 ?? null],
  ['latency_p99_us', ({ answered }) => answered?.latency.p99 ?? null],
  ['latency_max_us', ({ answered }) => answered?.latency.max ?? null],
  ['latency_stddev_us', ({ answered }) => answered?.latency.stddev ?? null],
  ['packets_per_request', ({ answered }) => answered?.packets?.perRequest ?? null],
  ['packets_per_response', ({ answered }) => answered?.packets?.perResponse ?? null],
  ['acks_per_transaction', ({ answered }) => answered?.packets?.acks ?? null],
  ['payload_bytes_per_packet', ({ streamed }) => streamed?.bytesPerPacket ?? null],
  ['cpu_s_per_gigabit', ({ streamed }) => streamed?.cpuSecondsPerGigabit ?? null],
  ['retransmitted_segments', ({ of }) => of.retransmits],
  ['env_name', ({ env }) => env?.name ?? null],
  ['env_incarnation', ({ env }) => env?.incarnation ?? null],
  ['env_kernel', ({ env }) => env?.kernel ?? null],
  ['env_os', ({ env }) => env?.os ?? null],
  ['env_cpu_model', ({ env }) => env?.cpu.model ?? null],
  ['env_cpu_count', ({ env }) => env?.cpu.count ?? null],
  ['env_cpu_governor', ({ env }) => env?.cpu.governor ?? null],
  ['env_load_1min', ({ env }) => env?.load ?? null],
  ['env_big_tcp_ipv4', ({ env }) => env?.setting.ipv4 ?? null],
  ['env_big_tcp_ipv6', ({ env }) => env?.setting.ipv6 ?? null],
  ['env_send_limit_bytes', ({ env }) => env?.limit ?? null],
  ['env_pod_mtu_bytes', ({ env }) => env?.mtu ?? null],
  ['env_placement', ({ env }) => env?.placement?.variant ?? null],
  ['env_client_node', ({ env }) => env?.placement?.nodes[CLIENT] ?? null],
  ['env_server_node', ({ env }) => env?.placement?.nodes[SERVER] ?? null],
]

/** `version_netperf`, `image_agent`: one column for each that any of the measurements knows. */
function keyed(prefix: string, taken: readonly Taken[], of: (env: Fingerprint) => Readonly<Record<string, string>>) {
  const keys = new Set(taken.flatMap(({ env }) => (env === null ? [] : Object.keys(of(env)))))
  return [...keys].toSorted().map((key): Column => {
    // One that has no `constructor` of its own has one all the same.
    const known = (env: Fingerprint): Cell => (Object.hasOwn(of(env), key) ? (of(env)[key] ?? null) : null)
    return [`${prefix}${key}`, ({ env }) => (env === null ? null : known(env))]
  })
}

/** Ends with a line break, as every record does; only the header where nothing was measured. */
export function csvReport({ runs }: Report): string {
  const taken = runs.flatMap((run) =>
    run.repeats.flatMap(({ measurement: of }): Taken[] => {
      if (of === null) return []
      const [answered, streamed] = isRequestResponse(of) ? [of, null] : [null, of]
      return [{ run, of, answered, streamed, env: of.fingerprint }]
    }),
  )
  const all = [
    ...columns,
    ...keyed('version_', taken, ({ versions }) => versions),
    ...keyed('image_', taken, ({ images }) => images),
  ]
  const lines = [all.map(([name]) => csvCell(name)), ...taken.map((one) => all.map(([, value]) => csvCell(value(one))))]
  return lines.map((line) => `${line.join(',')}\r\n`).join('')
}
