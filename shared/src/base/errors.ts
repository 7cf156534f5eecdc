/**
 * The closed set of error codes. The page and scripts use the code, never the text. Each error has a message for people
 * and a remedy.
 */
import { z } from 'zod'

/** The HTTP status of each code. */
const statusOf = {
  bad_request: 400,
  recording_invalid: 400,
  unauthorized: 401,
  forbidden_host: 403,
  forbidden_origin: 403,
  not_allowed: 403,
  code_invalid: 403,
  launch_invalid: 403,
  too_many_attempts: 429,
  too_many_requests: 429,
  workshop_off: 409,
  room_full: 409,
  name_taken: 409,
  queue_full: 409,
  run_too_long: 409,
  quota_reached: 409,
  not_driving: 409,
  not_found: 404,
  report_too_large: 413,
  method_not_allowed: 405,
  testbed_busy: 409,
  step_not_ready: 409,
  run_not_running: 409,
  nothing_to_do: 409,
  recording_shipped: 409,
  not_presented: 409,
  poll_closed: 409,
  preflight_failed: 409,
  upgrade_required: 426,
  tool_missing: 424,
  tool_too_old: 424,
  tool_failed: 502,
  tool_output_unreadable: 502,
  netserver_unreachable: 502,
  namespaces_denied: 424,
  testbed_unavailable: 424,
  testbed_gone: 502,
  kubeconfig_invalid: 424,
  context_not_chosen: 409,
  cluster_unreachable: 502,
  cluster_unauthorized: 424,
  cluster_forbidden: 424,
  cluster_locked: 409,
  exec_dropped: 502,
  workload_not_ready: 502,
  agent_refused: 502,
  datapath_not_taken: 502,
  deadline_exceeded: 504,
  server_restarted: 500,
  machine_busy: 503,
  too_many_files: 503,
  data_in_use: 503,
  data_unwritable: 500,
  data_full: 507,
  data_corrupt: 500,
  data_exposed: 500,
  config_invalid: 500,
  internal: 500,
} as const

export type ErrorCode = keyof typeof statusOf
export const errorCodes = Object.keys(statusOf) as [ErrorCode, ...ErrorCode[]]

/** An error in responses, in the event log and on the page. */
export const problem = z.strictObject({
  code: z.enum(errorCodes),
  /** One sentence for people. */
  message: z.string(),
  /** The next steps, in a sentence or two. */
  remedy: z.string(),
  /** A command for the remedy, to copy; null if there is none. */
  remedyCommand: z.string().nullable(),
  /** The tool's or the system's own message, verbatim; null if there is none. */
  detail: z.string().nullable(),
})
export type Problem = z.infer<typeof problem>

export const errorBody = z.strictObject({ error: problem })
export type ErrorBody = z.infer<typeof errorBody>

interface Extra {
  remedyCommand?: string
  detail?: string
  cause?: unknown
}

/** The project's only error class: a code, a message, a remedy and the cause. */
export class LabError extends Error {
  override readonly name = 'LabError'
  readonly code: ErrorCode
  readonly remedy: string
  readonly remedyCommand: string | null
  readonly detail: string | null

  constructor(code: ErrorCode, message: string, remedy: string, extra: Extra = {}) {
    super(message, { cause: extra.cause })
    this.code = code
    this.remedy = remedy
    this.remedyCommand = extra.remedyCommand ?? null
    this.detail = extra.detail ?? null
  }

  get status(): number {
    return statusOf[this.code]
  }

  toProblem(): Problem {
    return {
      code: this.code,
      message: this.message,
      remedy: this.remedy,
      remedyCommand: this.remedyCommand,
      detail: this.detail,
    }
  }
}

/** Wraps any other error as `internal`, with its message as the detail. */
export function toLabError(error: unknown): LabError {
  if (error instanceof LabError) return error
  const detail = error instanceof Error ? error.message : String(error)
  return new LabError(
    'internal',
    'Something failed inside Expresslane itself.',
    'Run the step again; if it happens again, report it with the server log.',
    { detail, cause: error },
  )
}

/** Makes the compiler check that a `switch` is exhaustive. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`)
}
